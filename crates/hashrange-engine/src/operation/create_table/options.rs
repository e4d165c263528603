//! Settings of a new table: streams, encryption, protection, maxima, tags.
//!
//! Not here: changing them later (`update_table`).

use hashrange_types::limits::TABLE_CAPACITY_UNITS_MAX;
use hashrange_types::operation::{
    CreateTableRequest, EncryptionSpecification, StreamSpecification, WarmThroughput,
};
use hashrange_types::table_state::{
    Encryption, ON_DEMAND_WARM, OnDemandThroughput, ResourcePolicy, StreamViewType, TableClass, Tag,
};
use hashrange_types::{
    ApiError, BillingMode, IndexName, ProvisionedThroughput, SortedMap, TableSchema, TableState,
    ValidationError,
};
use smol_str::SmolStr;

use super::definition::invalid;
use crate::operation::tags::{check_tags, first_revision};

/// The settings a checked request asks for.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) stream: Option<StreamViewType>,
    encryption: Option<Encryption>,
    class: TableClass,
    is_protected: bool,
    on_demand_maximum: OnDemandThroughput,
    warm: Option<ProvisionedThroughput>,
    indexes: SortedMap<IndexName, (OnDemandThroughput, Option<ProvisionedThroughput>)>,
    tags: Vec<Tag>,
    policy: Option<SmolStr>,
}

impl Options {
    /// Checks the settings of a request whose keys and indexes are those of `schema`.
    ///
    /// # Errors
    /// The first rule they break.
    pub(crate) fn of(request: &CreateTableRequest, schema: &TableSchema) -> Result<Self, ApiError> {
        let options = &request.options;
        let stream =
            options.stream.map(|stream| view_type(stream, "created")).transpose()?.flatten();
        let maximum = options.on_demand_maximum;
        let on_demand_maximum = maximum.map_or(Ok(OnDemandThroughput::default()), |maximum| {
            check_maximum(
                maximum,
                schema.billing,
                "table",
                "when table BillingMode is PROVISIONED.",
            )
            .map(|()| maximum)
        })?;
        let base = hashrange_types::table_state::warm_for(schema.billing);
        let warm = options.warm.map(|warm| warmer(warm, base, "table")).transpose()?;
        let mut indexes = SortedMap::new();
        for (asked, index) in request.global_indexes.iter().flatten().zip(&schema.global_indexes) {
            let resource = format!("index: {}", index.name);
            let maximum = asked.on_demand_maximum.unwrap_or_default();
            if asked.on_demand_maximum.is_some() {
                let rest = "when table BillingMode is PROVISIONED.";
                check_maximum(maximum, schema.billing, &resource, rest)?;
            }
            let base = index.throughput.unwrap_or(ON_DEMAND_WARM);
            let warm = asked.warm.map(|warm| warmer(warm, base, &resource)).transpose()?;
            indexes.insert(index.name.clone(), (maximum, warm));
        }
        check_tags(&[], &request.tags)?;
        Ok(Self {
            stream,
            encryption: options.encryption.as_ref().map(encryption).transpose()?.flatten(),
            class: options.class.unwrap_or(TableClass::Standard),
            is_protected: options.is_protected.unwrap_or_default(),
            on_demand_maximum,
            warm,
            indexes,
            tags: request.tags.clone(),
            policy: request.policy.clone(),
        })
    }

    /// Sets them, except the stream, which belongs to the account.
    pub(crate) fn set(&self, state: &mut TableState) {
        state.encryption.clone_from(&self.encryption);
        state.class = self.class;
        state.is_protected = self.is_protected;
        state.on_demand_maximum = self.on_demand_maximum;
        state.warm = self.warm.unwrap_or(state.warm);
        for (name, (maximum, warm)) in &self.indexes {
            if let Some(index) = state.indexes.get_mut(name) {
                index.on_demand_maximum = *maximum;
                index.warm = warm.unwrap_or(index.warm);
            }
        }
        state.tags.clone_from(&self.tags);
        state.policy = self
            .policy
            .as_ref()
            .map(|text| ResourcePolicy { text: text.clone(), revision: first_revision() });
    }
}

/// What a stream shows; none where none is asked for. `word` is `created` or `updated`.
pub(crate) fn view_type(
    stream: StreamSpecification,
    word: &str,
) -> Result<Option<StreamViewType>, ValidationError> {
    match (stream.is_enabled, stream.view_type) {
        (true, None) => Err(invalid(&format!(
            "Table is being {word} with a stream enabled, UpdateViewType is required"
        ))),
        (false, Some(_)) => Err(invalid(&format!(
            "Table is being {word} with a stream disabled, UpdateViewType should not be specified"
        ))),
        (_, view_type) => Ok(view_type),
    }
}

/// The encryption asked for; none for DynamoDB's own key.
pub(crate) fn encryption(
    asked: &EncryptionSpecification,
) -> Result<Option<Encryption>, ValidationError> {
    if asked.is_kms == Some(false) {
        return Err(invalid("Requested SSE with unsupported SSEType"));
    }
    if asked.is_enabled != Some(true) {
        return match asked.key {
            Some(_) => Err(invalid("KMSMasterKeyId cannot be specified when SSE is not enabled")),
            None => Ok(None),
        };
    }
    let key = asked.key.as_deref().unwrap_or("alias/aws/dynamodb");
    let is_whole = ["arn:", "alias/", "key/"].iter().any(|start| key.starts_with(start));
    let key = if is_whole { SmolStr::new(key) } else { format!("key/{key}").into() };
    Ok(Some(Encryption { is_updating: false, key }))
}

/// Checks a maximum of on-demand requests; -1 stands for none. `rest` says when it cannot be given.
pub(crate) fn check_maximum(
    maximum: OnDemandThroughput,
    billing: BillingMode,
    resource: &str,
    rest: &str,
) -> Result<(), ValidationError> {
    let members = [("MaxReadRequestUnits", maximum.read), ("MaxWriteRequestUnits", maximum.write)];
    let given: Vec<_> =
        members.iter().filter_map(|(name, units)| Some((name, (*units)?))).collect();
    // DynamoDB fails with an InternalFailure here (facts 10); a sentence is kinder.
    if given.is_empty() {
        return Err(invalid(
            "OnDemandThroughput needs MaxReadRequestUnits or MaxWriteRequestUnits",
        ));
    }
    for (name, units) in given {
        if billing != BillingMode::PayPerRequest {
            return Err(invalid(&format!(
                "{name} for OnDemandThroughput cannot be specified {rest}"
            )));
        }
        let is_legal = units == -1
            || u64::try_from(units)
                .is_ok_and(|units| (1..=TABLE_CAPACITY_UNITS_MAX).contains(&units));
        if !is_legal {
            return Err(invalid(&format!(
                "Requested {name} for OnDemandThroughput for {resource} is outside of valid range"
            )));
        }
    }
    Ok(())
}

/// The throughput to warm up to. The sentences are ours.
pub(crate) fn warmer(
    asked: WarmThroughput,
    now: ProvisionedThroughput,
    resource: &str,
) -> Result<ProvisionedThroughput, ValidationError> {
    if asked.read.is_none() && asked.write.is_none() {
        return Err(invalid("WarmThroughput needs ReadUnitsPerSecond or WriteUnitsPerSecond"));
    }
    let of = |asked: Option<i64>, now: u64, name: &str| match asked.map(u64::try_from) {
        None => Ok(now),
        Some(Ok(units)) if units >= now => Ok(units),
        Some(_) => Err(invalid(&format!(
            "Requested {name} for WarmThroughput for {resource} is lower than minimum value of {now}"
        ))),
    };
    Ok(ProvisionedThroughput {
        read: of(asked.read, now.read, "ReadUnitsPerSecond")?,
        write: of(asked.write, now.write, "WriteUnitsPerSecond")?,
    })
}
