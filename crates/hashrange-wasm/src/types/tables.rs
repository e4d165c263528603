//! Types of the operations on tables, their settings and their streams.

use wasm_bindgen::prelude::wasm_bindgen;

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
/** Units a second that are ready at once. */
export interface WarmThroughput {
  ReadUnitsPerSecond?: number;
  WriteUnitsPerSecond?: number;
}
/** The most that an on-demand table or index takes. */
export interface OnDemandThroughput {
  MaxReadRequestUnits?: number;
  MaxWriteRequestUnits?: number;
}
export interface GlobalSecondaryIndex extends SecondaryIndex {
  ProvisionedThroughput?: ProvisionedThroughput;
  OnDemandThroughput?: OnDemandThroughput;
  WarmThroughput?: WarmThroughput;
}
export interface StreamSpecification {
  StreamEnabled: boolean;
  StreamViewType?: StreamViewType;
}
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';
export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS';
export interface Tag {
  Key: string;
  Value: string;
}
/** What CreateTable and UpdateTable share. */
export interface TableSettings {
  BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST';
  ProvisionedThroughput?: ProvisionedThroughput;
  OnDemandThroughput?: OnDemandThroughput;
  WarmThroughput?: WarmThroughput;
  StreamSpecification?: StreamSpecification;
  SSESpecification?: { Enabled?: boolean; SSEType?: 'AES256' | 'KMS'; KMSMasterKeyId?: string };
  TableClass?: TableClass;
  DeletionProtectionEnabled?: boolean;
}
export interface CreateTableInput extends TableSettings {
  TableName: string;
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: KeySchemaElement[];
  LocalSecondaryIndexes?: SecondaryIndex[];
  GlobalSecondaryIndexes?: GlobalSecondaryIndex[];
  Tags?: Tag[];
  ResourcePolicy?: string;
}
/** One change of a global secondary index: exactly one member. */
export type GlobalSecondaryIndexUpdate =
  | { Create: GlobalSecondaryIndex }
  | { Update: Pick<GlobalSecondaryIndex, 'IndexName' | 'ProvisionedThroughput' | 'OnDemandThroughput' | 'WarmThroughput'> }
  | { Delete: { IndexName: string } };
export interface UpdateTableInput extends TableSettings {
  TableName: string;
  AttributeDefinitions?: AttributeDefinition[];
  GlobalSecondaryIndexUpdates?: GlobalSecondaryIndexUpdate[];
  ReplicaUpdates?: Record<string, { RegionName: string }>[];
}
/** DeleteTable, DescribeTable and DescribeTimeToLive. */
export interface TableInput {
  TableName: string;
}

export type TableStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
export interface ThroughputDescription extends ProvisionedThroughput {
  /** Seconds since the epoch, as every time here. */
  LastIncreaseDateTime?: number;
  LastDecreaseDateTime?: number;
  NumberOfDecreasesToday: number;
}
export interface WarmThroughputDescription {
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
  Backfilling?: boolean;
  OnDemandThroughput?: OnDemandThroughput;
  ProvisionedThroughput: ThroughputDescription;
  WarmThroughput: WarmThroughputDescription;
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
  StreamSpecification?: StreamSpecification;
  LatestStreamLabel?: string;
  LatestStreamArn?: string;
  GlobalTableVersion?: string;
  Replicas?: { RegionName: string; ReplicaStatus: string }[];
  RestoreSummary?: {
    SourceBackupArn?: string;
    SourceTableArn: string;
    RestoreDateTime: number;
    RestoreInProgress: boolean;
  };
  SSEDescription?: { Status: string; SSEType: 'KMS'; KMSMasterKeyArn: string };
  TableClassSummary?: { TableClass: TableClass; LastUpdateDateTime?: number };
  OnDemandThroughput?: OnDemandThroughput;
  DeletionProtectionEnabled: boolean;
  WarmThroughput: WarmThroughputDescription;
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
const SETTINGS: &str = r#"
export interface TimeToLiveSpecification {
  Enabled: boolean;
  AttributeName: string;
}
export interface TimeToLiveDescription {
  TimeToLiveStatus: 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED';
  AttributeName?: string;
}
export interface ListTagsOfResourceOutput {
  Tags: Tag[];
  NextToken?: string;
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const STREAMS: &str = r#"
export interface ListStreamsInput {
  TableName?: string;
  Limit?: number;
  ExclusiveStartStreamArn?: string;
}
/** The name of a stream. */
export interface Stream {
  StreamArn: string;
  TableName: string;
  StreamLabel: string;
}
export interface ListStreamsOutput {
  Streams: Stream[];
  LastEvaluatedStreamArn?: string;
}
export interface DescribeStreamInput {
  StreamArn: string;
  Limit?: number;
  ExclusiveStartShardId?: string;
  ShardFilter?: { Type: 'CHILD_SHARDS'; ShardId: string };
}
export interface Shard {
  ShardId: string;
  SequenceNumberRange: { StartingSequenceNumber: string; EndingSequenceNumber?: string };
  ParentShardId?: string;
}
export interface StreamDescription extends Stream {
  StreamStatus: 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED';
  StreamViewType: StreamViewType;
  CreationRequestDateTime: number;
  KeySchema: KeySchemaElement[];
  Shards: Shard[];
  LastEvaluatedShardId?: string;
}
export interface GetShardIteratorInput {
  StreamArn: string;
  ShardId: string;
  ShardIteratorType:
    | 'TRIM_HORIZON'
    | 'LATEST'
    | 'AT_SEQUENCE_NUMBER'
    | 'AFTER_SEQUENCE_NUMBER'
    | 'AT_TIMESTAMP';
  SequenceNumber?: string;
  Timestamp?: number;
}
export interface GetRecordsInput {
  ShardIterator: string;
  Limit?: number;
}
export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: string;
  eventSource: 'aws:dynamodb';
  awsRegion: string;
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: StreamViewType;
  };
  /** Only where an item has expired. */
  userIdentity?: { PrincipalId: string; Type: string };
}
export interface GetRecordsOutput {
  Records: StreamRecord[];
  NextShardIterator?: string;
}
"#;
