//! The site's own address, for commands that people copy.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::HOST;
use axum::http::request::Parts;

use crate::app::App;
use crate::hosts::PublicUrl;

/// This site's address as the visitor knows it, such as `https://arena.example`.
pub(crate) struct BaseUrl(pub(crate) String);

impl FromRequestParts<App> for BaseUrl {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<BaseUrl, Infallible> {
        // `hosts::checked` has verified that there is one and that it is ours.
        let host = || parts.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let scheme = if app.site.secure { "https" } else { "http" };
        let public = app.site.public_url.as_ref().map(PublicUrl::to_string);
        Ok(BaseUrl(public.unwrap_or_else(|| format!("{scheme}://{}", host()))))
    }
}
