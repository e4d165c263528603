//! Types of the operations on items: single, in pages, in batches and in transactions.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const SHARED: &str = r#"
export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE';
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE';
export type Select =
  | 'ALL_ATTRIBUTES'
  | 'ALL_PROJECTED_ATTRIBUTES'
  | 'SPECIFIC_ATTRIBUTES'
  | 'COUNT';
export type ComparisonOperator =
  | 'EQ' | 'NE' | 'IN' | 'LE' | 'LT' | 'GE' | 'GT' | 'BETWEEN' | 'NOT_NULL' | 'NULL'
  | 'CONTAINS' | 'NOT_CONTAINS' | 'BEGINS_WITH';

export interface Capacity {
  CapacityUnits: number;
}

export interface ConsumedCapacity extends Capacity {
  TableName: string;
  Table?: Capacity;
  LocalSecondaryIndexes?: Record<string, Capacity>;
  GlobalSecondaryIndexes?: Record<string, Capacity>;
}

export interface ItemCollectionMetrics {
  ItemCollectionKey: Item;
  SizeEstimateRangeGB: [number, number];
}

/** From before expressions. */
export interface Condition {
  ComparisonOperator: ComparisonOperator;
  AttributeValueList?: AttributeValue<Bytes>[];
}

/** From before expressions. */
export interface ExpectedAttributeValue {
  Value?: AttributeValue<Bytes>;
  Exists?: boolean;
  ComparisonOperator?: ComparisonOperator;
  AttributeValueList?: AttributeValue<Bytes>[];
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const ITEMS: &str = r#"
export interface GetItemInput {
  TableName: string;
  Key: Item<Bytes>;
  AttributesToGet?: string[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface GetItemOutput {
  Item?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}

/** What the three single-item writes share. */
export interface WriteInput {
  TableName: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue<Bytes>>;
  Expected?: Record<string, ExpectedAttributeValue>;
  ConditionalOperator?: 'AND' | 'OR';
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics;
}
export interface WriteOutput {
  Attributes?: Item;
  ConsumedCapacity?: ConsumedCapacity;
  ItemCollectionMetrics?: ItemCollectionMetrics;
}
export interface PutItemInput extends WriteInput {
  Item: Item<Bytes>;
  ReturnValues?: 'NONE' | 'ALL_OLD';
}
export interface DeleteItemInput extends WriteInput {
  Key: Item<Bytes>;
  ReturnValues?: 'NONE' | 'ALL_OLD';
}
export interface UpdateItemInput extends WriteInput {
  Key: Item<Bytes>;
  UpdateExpression?: string;
  AttributeUpdates?: Record<
    string,
    { Value?: AttributeValue<Bytes>; Action?: 'PUT' | 'ADD' | 'DELETE' }
  >;
  ReturnValues?: 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW';
}

/** What Query and Scan share. */
export interface ReadInput {
  TableName: string;
  IndexName?: string;
  Select?: Select;
  Limit?: number;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Item<Bytes>;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue<Bytes>>;
  AttributesToGet?: string[];
  ConditionalOperator?: 'AND' | 'OR';
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface QueryInput extends ReadInput {
  KeyConditionExpression?: string;
  KeyConditions?: Record<string, Condition>;
  QueryFilter?: Record<string, Condition>;
  ScanIndexForward?: boolean;
}
export interface ScanInput extends ReadInput {
  ScanFilter?: Record<string, Condition>;
  Segment?: number;
  TotalSegments?: number;
}
/** One page of a Query or Scan. */
export interface PageOutput {
  Items?: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const BATCHES: &str = r#"
export interface KeysAndAttributes<B = string> {
  Keys: Item<B>[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  AttributesToGet?: string[];
}
export interface BatchGetItemInput {
  RequestItems: Record<string, KeysAndAttributes<Bytes>>;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface BatchGetItemOutput {
  Responses: Record<string, Item[]>;
  UnprocessedKeys: Record<string, KeysAndAttributes>;
  ConsumedCapacity?: ConsumedCapacity[];
}

export type WriteRequest<B = string> =
  | { PutRequest: { Item: Item<B> } }
  | { DeleteRequest: { Key: Item<B> } };
export interface BatchWriteItemInput {
  RequestItems: Record<string, WriteRequest<Bytes>[]>;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics;
}
export interface BatchWriteItemOutput {
  UnprocessedItems: Record<string, WriteRequest[]>;
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]>;
  ConsumedCapacity?: ConsumedCapacity[];
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const TRANSACTIONS: &str = r#"
/** One read of a transaction. */
export interface TransactGetItem {
  Get: {
    TableName: string;
    Key: Item<Bytes>;
    ProjectionExpression?: string;
    ExpressionAttributeNames?: Record<string, string>;
  };
}
export interface TransactGetItemsInput {
  TransactItems: TransactGetItem[];
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
/** One entry for each read; one without an item found none. */
export interface ItemResponses {
  Responses: { Item?: Item }[];
  ConsumedCapacity?: ConsumedCapacity[];
}

/** What the four actions of a transaction share. */
export interface TransactAction {
  TableName: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue<Bytes>>;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}
/** One action of a transaction: exactly one member. */
export type TransactWriteItem =
  | { Put: TransactAction & { Item: Item<Bytes> } }
  | { Update: TransactAction & { Key: Item<Bytes>; UpdateExpression: string } }
  | { Delete: TransactAction & { Key: Item<Bytes> } }
  | { ConditionCheck: TransactAction & { Key: Item<Bytes>; ConditionExpression: string } };
export interface TransactWriteItemsInput {
  TransactItems: TransactWriteItem[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics;
}
export interface TransactWriteItemsOutput {
  ConsumedCapacity?: ConsumedCapacity[];
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]>;
}
/** Why one action of a transaction stood in its way; `None` if it did not. */
export interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const STATEMENTS: &str = r#"
/** A PartiQL statement. */
export interface ParameterizedStatement {
  Statement: string;
  Parameters?: AttributeValue<Bytes>[];
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}
export interface ExecuteStatementInput extends ParameterizedStatement {
  ConsistentRead?: boolean;
  Limit?: number;
  NextToken?: string;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface ExecuteStatementOutput {
  Items: Item[];
  NextToken?: string;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}
export interface BatchExecuteStatementInput {
  Statements: (ParameterizedStatement & { ConsistentRead?: boolean })[];
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface BatchExecuteStatementOutput {
  Responses: {
    TableName?: string;
    Item?: Item;
    Error?: { Code: string; Message: string; Item?: Item };
  }[];
  ConsumedCapacity?: ConsumedCapacity[];
}
export interface ExecuteTransactionInput {
  TransactStatements: ParameterizedStatement[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
"#;
