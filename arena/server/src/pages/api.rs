//! `/api`: describes the API.

use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::base_url::BaseUrl;
use crate::identity::Reader;
use crate::problem::Result;

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    shell: Shell,
    /// The address of the site.
    base: String,
}

pub(crate) async fn show(BaseUrl(base): BaseUrl, Reader(visitor): Reader) -> Result<Response> {
    page(&ApiPage { shell: Shell::new(&visitor, ""), base })
}
