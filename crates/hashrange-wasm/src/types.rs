//! The TypeScript types of what goes in and out, written by hand beside the ones wasm-bindgen makes.
//!
//! Names and members are those of the AWS SDK for JavaScript, except that binary values are base64 text, as
//! they are in JSON.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const VALUES: &str = r#"
/** One value of an attribute: exactly one member. Numbers and base64 are text. */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: AttributeValue[] }
  | { M: Record<string, AttributeValue> }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] };

/** The attributes of an item, or of a key. */
export type Item = Record<string, AttributeValue>;

/** What the engine throws when it refuses a request: `name` is DynamoDB's exception. */
export interface EngineError extends Error {
  name: string;
  /** HTTP status of the reply, 400 or 413. */
  status: number;
  /** The JSON text of the reply; a ConditionalCheckFailedException may carry `Item`. */
  body: string;
}

/** What DynamoDB's endpoint would send. */
export interface EngineReply {
  status: number;
  /** JSON text. */
  body: string;
}
"#;

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
  AttributeValueList?: AttributeValue[];
}

/** From before expressions. */
export interface ExpectedAttributeValue {
  Value?: AttributeValue;
  Exists?: boolean;
  ComparisonOperator?: ComparisonOperator;
  AttributeValueList?: AttributeValue[];
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const ITEMS: &str = r#"
export interface GetItemInput {
  TableName: string;
  Key: Item;
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
  ExpressionAttributeValues?: Record<string, AttributeValue>;
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
  Item: Item;
  ReturnValues?: 'NONE' | 'ALL_OLD';
}
export interface DeleteItemInput extends WriteInput {
  Key: Item;
  ReturnValues?: 'NONE' | 'ALL_OLD';
}
export interface UpdateItemInput extends WriteInput {
  Key: Item;
  UpdateExpression?: string;
  AttributeUpdates?: Record<
    string,
    { Value?: AttributeValue; Action?: 'PUT' | 'ADD' | 'DELETE' }
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
  ExclusiveStartKey?: Item;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
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
export interface KeysAndAttributes {
  Keys: Item[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  AttributesToGet?: string[];
}
export interface BatchGetItemInput {
  RequestItems: Record<string, KeysAndAttributes>;
  ReturnConsumedCapacity?: ReturnConsumedCapacity;
}
export interface BatchGetItemOutput {
  Responses: Record<string, Item[]>;
  UnprocessedKeys: Record<string, KeysAndAttributes>;
  ConsumedCapacity?: ConsumedCapacity[];
}

export type WriteRequest =
  | { PutRequest: { Item: Item } }
  | { DeleteRequest: { Key: Item } };
export interface BatchWriteItemInput {
  RequestItems: Record<string, WriteRequest[]>;
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
const TABLES: &str = r#"
export interface KeySchemaElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}
export interface AttributeDefinition {
  AttributeName: string;
  AttributeType: 'S' | 'N' | 'B';
}
export interface Projection {
  ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  NonKeyAttributes?: string[];
}
export interface ProvisionedThroughput {
  ReadCapacityUnits: number;
  WriteCapacityUnits: number;
}
export interface SecondaryIndex {
  IndexName: string;
  KeySchema: KeySchemaElement[];
  Projection: Projection;
}
export interface CreateTableInput {
  TableName: string;
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: KeySchemaElement[];
  LocalSecondaryIndexes?: SecondaryIndex[];
  GlobalSecondaryIndexes?: (SecondaryIndex & { ProvisionedThroughput?: ProvisionedThroughput })[];
  BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST';
  ProvisionedThroughput?: ProvisionedThroughput;
}
/** DeleteTable and DescribeTable. */
export interface TableInput {
  TableName: string;
}

export type TableStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
export interface ThroughputDescription extends ProvisionedThroughput {
  NumberOfDecreasesToday: number;
}
export interface WarmThroughput {
  ReadUnitsPerSecond: number;
  WriteUnitsPerSecond: number;
  Status: TableStatus;
}
export interface LocalSecondaryIndexDescription extends SecondaryIndex {
  IndexSizeBytes: number;
  ItemCount: number;
  IndexArn: string;
}
export interface GlobalSecondaryIndexDescription extends LocalSecondaryIndexDescription {
  IndexStatus: TableStatus;
  ProvisionedThroughput: ThroughputDescription;
  WarmThroughput: WarmThroughput;
}
export interface TableDescription {
  AttributeDefinitions: AttributeDefinition[];
  TableName: string;
  KeySchema: KeySchemaElement[];
  TableStatus: TableStatus;
  /** Seconds since the epoch, with a fraction. */
  CreationDateTime: number;
  ProvisionedThroughput: ThroughputDescription;
  TableSizeBytes: number;
  ItemCount: number;
  TableArn: string;
  TableId: string;
  BillingModeSummary?: {
    BillingMode: 'PROVISIONED' | 'PAY_PER_REQUEST';
    LastUpdateToPayPerRequestDateTime: number;
  };
  LocalSecondaryIndexes?: LocalSecondaryIndexDescription[];
  GlobalSecondaryIndexes?: GlobalSecondaryIndexDescription[];
  DeletionProtectionEnabled: boolean;
  WarmThroughput: WarmThroughput;
}
export interface ListTablesInput {
  ExclusiveStartTableName?: string;
  Limit?: number;
}
export interface ListTablesOutput {
  TableNames: string[];
  LastEvaluatedTableName?: string;
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const OPERATIONS: &str = r"
/** What each operation takes and gives, as parsed JSON. */
export interface Operations {
  BatchGetItem: { input: BatchGetItemInput; output: BatchGetItemOutput };
  BatchWriteItem: { input: BatchWriteItemInput; output: BatchWriteItemOutput };
  CreateTable: { input: CreateTableInput; output: { TableDescription: TableDescription } };
  DeleteItem: { input: DeleteItemInput; output: WriteOutput };
  DeleteTable: { input: TableInput; output: { TableDescription: TableDescription } };
  DescribeTable: { input: TableInput; output: { Table: TableDescription } };
  GetItem: { input: GetItemInput; output: GetItemOutput };
  ListTables: { input: ListTablesInput; output: ListTablesOutput };
  PutItem: { input: PutItemInput; output: WriteOutput };
  Query: { input: QueryInput; output: PageOutput };
  Scan: { input: ScanInput; output: PageOutput };
  UpdateItem: { input: UpdateItemInput; output: WriteOutput };
}

/** Name of an operation this build answers. */
export type OperationName = keyof Operations;
";
