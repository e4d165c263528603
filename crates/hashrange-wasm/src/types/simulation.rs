//! The types of scenarios and of what happens in them.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const SIMULATION: &str = r#"
/** How late something is: milliseconds, one number for each write in turn, or drawn with a long tail. */
export type Lag = number | number[] | { median: number; p99: number };

/** What a simulated database is set to. Times are milliseconds of simulated time unless their name says other. */
export interface SimulationSettings {
  /** What the rest is put over: `realistic` unless told, or `lesson`, without lag and limits. */
  preset?: 'realistic' | 'lesson';
  /** What chance starts from: the same seed and requests give the same events. */
  seed?: number;
  /** The moment a run begins, such as `2026-01-01T00:00:00Z`. */
  clock?: string;
  /** `cluster` limits throughput, `at-once` admits every request. */
  driver?: 'at-once' | 'cluster';
  reply_ms?: number;
  commit_ms?: number;
  transaction_ms?: number;
  election_ms?: number;
  lag?: {
    /** Of both followers, or of each. */
    followers_ms?: [Lag, Lag] | { median: number; p99: number } | number;
    gsi_ms?: Lag;
  };
  eventual_reads?: 'leader' | 'slowest-follower' | 'round-robin' | 'random';
  /** Units a second of one partition. */
  cap?: { wcu?: number; rcu?: number };
  eventual_read_percent?: number;
  burst_seconds?: number;
  burst_seconds_saved?: number;
  adaptive?: boolean;
  by_the_second?: boolean;
  heat_split_after_s?: number | null;
  partition_bytes?: number;
  limits?: { item_collection_bytes?: number };
  gsi_backlog?: number;
  ttl_sweep_delay_s?: number | null;
}

/** Something that happens in a scenario, `at_ms` after its beginning. */
export type SimulationStep = { at_ms?: number } & (
  | {
      operation: OperationName;
      /** `{n}` in its texts becomes the number of the request, from 1. */
      request: Record<string, unknown>;
      times?: number;
      every_ms?: number;
    }
  | { set: Record<string, unknown> }
  | { sweep: true }
  | { fault: 'cut_off' | 'fail' | 'restore'; table: string; key: Item; replica?: 0 | 1 | 2 }
  | { fault: 'cut_off' | 'fail' | 'restore'; partition: number; replica?: 0 | 1 | 2 }
  | { fault: 'divide'; table: string; key: Item }
  | { fault: 'lose_reply'; times?: number }
  | {}
);

/** Settings, tables that are there from the beginning, and steps. */
export interface Scenario {
  settings?: SimulationSettings;
  tables?: Operations['CreateTable']['input'][];
  steps?: SimulationStep[];
}

/** One thing that happened; what else there is to say stands in members of its own. */
export interface SimulationEvent {
  /** Milliseconds since the run's beginning. */
  at_ms: number;
  /** Such as `read.served`. */
  name: string;
  request?: number;
  table?: string;
  index?: string;
  partition?: number;
  [detail: string]: unknown;
}
"#;
