//! DescribeLimits and DescribeEndpoints, which ask nothing.

/// A DescribeLimits request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeLimitsRequest;

/// A DescribeEndpoints request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeEndpointsRequest;
