//! Handlers with erased types.
//!
//! For each type of handler, the compiler builds axum's service, its futures and its layers anew, and proves each time
//! that everything in the handler's future may move between threads. Behind one type, it does so only once.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};

use crate::app::App;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of any type.
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Fn(Request, App) -> Answering + Send + Sync>);

pub(crate) fn erased<T>(handler: impl Handler<T, App, Future = Answering>) -> Erased {
    Erased(Arc::new(move |request, app| handler.clone().call(request, app)))
}

/// Distinguishes it from axum's own handlers.
pub(crate) enum OfAnyType {}

impl Handler<OfAnyType, App> for Erased {
    type Future = Answering;

    fn call(self, request: Request, app: App) -> Answering {
        (self.0)(request, app)
    }
}

pub(crate) fn get<T>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::get(erased(handler))
}

pub(crate) fn post<T>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::post(erased(handler))
}
