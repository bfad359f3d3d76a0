//! `/volunteers`: accounts that play games for the site, and the risk for a forger among them.

use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::api::volunteers::{VolunteersView, view};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::identity::Reader;
use crate::problem::Result;

#[derive(Template)]
#[template(path = "volunteers.html")]
struct VolunteersPage {
    shell: Shell,
    view: VolunteersView,
    /// The address of the site.
    base: String,
}

impl VolunteersPage {
    /// A part as percent.
    fn percent(part: &f64) -> String {
        let percent = part * 100.0;
        if percent > 0.0 && percent < 0.1 { "< 0.1 %".into() } else { format!("{percent:.1} %") }
    }
}

pub(crate) async fn show(app: App, BaseUrl(base): BaseUrl, Reader(visitor): Reader) -> Result<Response> {
    let view = view(&app).await?;
    page(&VolunteersPage { shell: Shell::new(&visitor, "tournaments"), view, base })
}
