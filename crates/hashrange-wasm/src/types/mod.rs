//! The TypeScript types of what goes in and out, written by hand beside the ones wasm-bindgen makes.
//!
//! Names and members are those of the AWS SDK for JavaScript, except that replies are what JSON says: binary
//! values are base64 text and times are numbers.

mod items;
mod simulation;
mod tables;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const VALUES: &str = r#"
/** Bytes as requests take them: as they are, or as base64. */
export type Bytes = string | Uint8Array | ArrayBuffer;

/** One value of an attribute: exactly one member. Numbers are text; in replies bytes are base64 text. */
export type AttributeValue<B = string> =
  | { S: string }
  | { N: string }
  | { B: B }
  | { BOOL: boolean }
  | { NULL: true }
  | { L: AttributeValue<B>[] }
  | { M: Record<string, AttributeValue<B>> }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: B[] };

/** The attributes of an item, or of a key. */
export type Item<B = string> = Record<string, AttributeValue<B>>;
"#;

#[wasm_bindgen(typescript_custom_section)]
const ENGINE: &str = r#"
/** What an engine is made with. */
export interface EngineOptions {
  /** How long changes of tables take: `instant` unless told, `short` (20 to 200 ms) or `measured` on AWS. */
  delays?: 'instant' | 'short' | 'measured';
  /** The Region that ARNs name; `us-east-1` unless told. */
  region?: string;
  /** A scenario to simulate: time, partitions, replicas and throttling. Without it requests take effect at once. */
  simulate?: Scenario;
  /** The edition of DynamoDB's messages; today's unless told. */
  wording?: '2026-05' | '2026-07';
}

export interface Engine {
  /**
   * Sends a request and returns the reply, both as plain objects.
   *
   * Members that are `undefined` are left out. Throws an `EngineError` for whatever DynamoDB refuses, and a
   * `TypeError` for what is no request at all.
   */
  send<Name extends OperationName>(
    operation: Name,
    input?: Operations[Name]['input'],
  ): Operations[Name]['output'];
}

/** What the engine throws when it refuses a request: `name` is DynamoDB's exception. */
export interface EngineError extends Error {
  name: string;
  /** HTTP status of the reply: 400 or 413, and 500 where a scenario makes it fail. */
  status: number;
  /** The JSON text of the reply. */
  body: string;
  /** As in the AWS SDK. */
  $fault: 'client' | 'server';
  $metadata: { httpStatusCode: number };
  /** The item that failed a condition, where it was asked for. */
  Item?: Item;
  /** One reason for each action of a transaction that was cancelled. */
  CancellationReasons?: CancellationReason[];
}

/** What DynamoDB's endpoint would send. */
export interface EngineReply {
  status: number;
  /** JSON text. */
  body: string;
}

/** What DynamoDB's endpoint would send over HTTP. */
export interface HttpReply extends EngineReply {
  /** The header `Content-Type`. */
  contentType: string;
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const OPERATIONS: &str = r#"
/** An operation whose members are not spelled out here. */
export interface Loose {
  input: Record<string, unknown>;
  output: Record<string, any>;
}
export type Nothing = Record<string, never>;

/** What each operation takes and gives, as plain objects. */
export interface Operations {
  BatchExecuteStatement: { input: BatchExecuteStatementInput; output: BatchExecuteStatementOutput };
  BatchGetItem: { input: BatchGetItemInput; output: BatchGetItemOutput };
  BatchWriteItem: { input: BatchWriteItemInput; output: BatchWriteItemOutput };
  CreateBackup: Loose;
  CreateGlobalTable: Loose;
  CreateTable: { input: CreateTableInput; output: { TableDescription: TableDescription } };
  DeleteBackup: Loose;
  DeleteItem: { input: DeleteItemInput; output: WriteOutput };
  DeleteResourcePolicy: Loose;
  DeleteTable: { input: TableInput; output: { TableDescription: TableDescription } };
  DescribeBackup: Loose;
  DescribeContinuousBackups: Loose;
  DescribeContributorInsights: Loose;
  DescribeEndpoints: Loose;
  DescribeExport: Loose;
  DescribeGlobalTable: Loose;
  DescribeGlobalTableSettings: Loose;
  DescribeImport: Loose;
  DescribeKinesisStreamingDestination: Loose;
  DescribeLimits: Loose;
  DescribeStream: { input: DescribeStreamInput; output: { StreamDescription: StreamDescription } };
  DescribeTable: { input: TableInput; output: { Table: TableDescription } };
  DescribeTimeToLive: {
    input: TableInput;
    output: { TimeToLiveDescription: TimeToLiveDescription };
  };
  DisableKinesisStreamingDestination: Loose;
  EnableKinesisStreamingDestination: Loose;
  ExecuteStatement: { input: ExecuteStatementInput; output: ExecuteStatementOutput };
  ExecuteTransaction: { input: ExecuteTransactionInput; output: ItemResponses };
  ExportTableToPointInTime: Loose;
  GetItem: { input: GetItemInput; output: GetItemOutput };
  GetRecords: { input: GetRecordsInput; output: GetRecordsOutput };
  GetResourcePolicy: Loose;
  GetShardIterator: { input: GetShardIteratorInput; output: { ShardIterator: string } };
  ImportTable: Loose;
  ListBackups: Loose;
  ListContributorInsights: Loose;
  ListExports: Loose;
  ListGlobalTables: Loose;
  ListImports: Loose;
  ListStreams: { input: ListStreamsInput; output: ListStreamsOutput };
  ListTables: { input: ListTablesInput; output: ListTablesOutput };
  ListTagsOfResource: {
    input: { ResourceArn: string; NextToken?: string };
    output: ListTagsOfResourceOutput;
  };
  PutItem: { input: PutItemInput; output: WriteOutput };
  PutResourcePolicy: Loose;
  Query: { input: QueryInput; output: PageOutput };
  RestoreTableFromBackup: Loose;
  RestoreTableToPointInTime: Loose;
  Scan: { input: ScanInput; output: PageOutput };
  TagResource: { input: { ResourceArn: string; Tags: Tag[] }; output: Nothing };
  TransactGetItems: { input: TransactGetItemsInput; output: ItemResponses };
  TransactWriteItems: { input: TransactWriteItemsInput; output: TransactWriteItemsOutput };
  UntagResource: { input: { ResourceArn: string; TagKeys: string[] }; output: Nothing };
  UpdateContinuousBackups: Loose;
  UpdateContributorInsights: Loose;
  UpdateGlobalTable: Loose;
  UpdateGlobalTableSettings: Loose;
  UpdateItem: { input: UpdateItemInput; output: WriteOutput };
  UpdateKinesisStreamingDestination: Loose;
  UpdateTable: { input: UpdateTableInput; output: { TableDescription: TableDescription } };
  UpdateTimeToLive: {
    input: { TableName: string; TimeToLiveSpecification: TimeToLiveSpecification };
    output: { TimeToLiveSpecification: TimeToLiveSpecification };
  };
}

/** Name of an operation. */
export type OperationName = keyof Operations;
"#;
