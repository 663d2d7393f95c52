//! The requests of the protocol.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::session::Session;
use super::{offered, own};

/// One session of the protocol.
#[derive(Clone)]
pub(super) struct Server(pub(super) Arc<Session>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let Self(session) = self;
        let api = session.program.api;
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new(api.name, api.version);
        let money = if session.is_metered() {
            format!(
                " Calls cost credits, and a budget bounds all of them together: `{}` says what is left, and `{}` what a call costs. Do not repeat a call: `{}` lists paid results, and `{}` reads them again for free.",
                session.own_name("budget"),
                session.own_name("quote"),
                session.own_name("history"),
                session.own_name("read-result"),
            )
        } else {
            String::new()
        };
        info.with_instructions(format!("{}.{money}", session.program.about))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let Self(session) = self;
        let operations = session.offered.iter();
        let mut tools = own::tools(session);
        tools.extend(operations.map(|one| offered::tool(one, session.is_metered())));
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Self(session) = self;
        let given = request.arguments.unwrap_or_default();
        if let Some(command) = session.operation(&request.name) {
            return Ok(session.call(command, given, None).await.into());
        }
        match own::call(session, &request.name, &given).await {
            Some(result) => Ok(result.into()),
            None => Err(ErrorData::invalid_params(
                "there is no tool with this name",
                None,
            )),
        }
    }
}
