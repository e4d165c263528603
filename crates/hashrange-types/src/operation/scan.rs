//! Scan: read a table or index from end to end, or one segment of it.

use super::ReadRequest;

/// A Scan request.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanRequest {
    /// What it shares with Query.
    pub read: ReadRequest,
    /// Which part of a parallel scan, from 0.
    pub segment: Option<u32>,
    /// Into how many parts the scan is divided.
    pub total_segments: Option<u32>,
}
