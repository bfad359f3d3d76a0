//! The origin of a request: its peer, or the address that a trusted proxy states.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// The header to which every proxy appends the address that its request came from.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Addresses that one visitor is likely to have at once: a /24 of IPv4, a /56 of IPv6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Network {
    V4([u8; 3]),
    V6([u8; 7]),
}

impl Network {
    pub(crate) fn of(address: IpAddr) -> Network {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                Network::V4([a, b, c])
            }
            IpAddr::V6(address) => {
                let [a, b, c, d, e, f, g, ..] = address.octets();
                Network::V6([a, b, c, d, e, f, g])
            }
        }
    }
}

impl Network {
    /// A number of the network, for those who need not know what it is.
    pub(crate) fn number(self) -> u64 {
        Prefix::from(self).bits
    }
}

/// Lengths of the networks around an address, in bits, the widest first. A provider has a /32 of IPv6 or several /16 of
/// IPv4, a customer a /48 or a /56, a line or a machine a /64 or a part of a /24.
const LENGTHS_V4: [u8; 2] = [16, 24];
const LENGTHS_V6: [u8; 4] = [32, 48, 56, 64];

/// A network around an address, of one of these lengths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Prefix {
    /// The first 64 bits of its addresses; those beyond its length are 0.
    bits: u64,
    length: u8,
}

impl Prefix {
    /// Whether no network that we count is around it.
    pub(super) fn is_widest(self) -> bool {
        self.length == LENGTHS_V4[0] || self.length == LENGTHS_V6[0]
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = if LENGTHS_V4.contains(&self.length) {
            IpAddr::from(Ipv4Addr::from((self.bits >> 32) as u32))
        } else {
            IpAddr::from(Ipv6Addr::from(u128::from(self.bits) << 64))
        };
        write!(f, "{address}/{}", self.length)
    }
}

impl From<Network> for Prefix {
    fn from(network: Network) -> Prefix {
        let (octets, length): (&[u8], u8) = match &network {
            Network::V4(octets) => (octets, 24),
            Network::V6(octets) => (octets, 56),
        };
        let bits = octets.iter().rev().fold(0, |bits, octet| bits >> 8 | u64::from(*octet) << 56);
        Prefix { bits, length }
    }
}

/// Where a request comes from: the network that has a share, and the networks around the address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) address: IpAddr,
    pub(crate) network: Network,
}

impl Origin {
    pub(crate) fn of(address: IpAddr) -> Origin {
        Origin { address: address.to_canonical(), network: Network::of(address) }
    }

    /// The networks around it, the widest first.
    pub(crate) fn around(&self) -> impl ExactSizeIterator<Item = Prefix> + use<> {
        let (bits, lengths): (u64, &[u8]) = match self.address {
            IpAddr::V4(address) => (u64::from(address.to_bits()) << 32, &LENGTHS_V4),
            IpAddr::V6(address) => ((address.to_bits() >> 64) as u64, &LENGTHS_V6),
        };
        lengths.iter().map(move |length| Prefix {
            bits: bits & !u64::MAX.checked_shr((*length).into()).unwrap_or(0),
            length: *length,
        })
    }

    /// The mean over the networks around it. It is what a visitor has whose networks have nothing else.
    pub(crate) fn mean(&self, of: impl Fn(Prefix) -> f64) -> f64 {
        let around = self.around();
        let count = around.len() as f64;
        around.map(of).sum::<f64>() / count
    }
}

impl From<Network> for Origin {
    /// An origin in a network of which no address is known: the first.
    fn from(network: Network) -> Origin {
        Origin::of(match network {
            Network::V4([a, b, c]) => IpAddr::from([a, b, c, 0]),
            Network::V6([a, b, c, d, e, f, g]) => IpAddr::from([a, b, c, d, e, f, g, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        })
    }
}

/// Addresses of proxies whose header `X-Forwarded-For` is trusted, such as `127.0.0.1` or `10.0.0.0/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrustedProxy(IpNet);

/// A text that is neither an address nor a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not an address or a network such as 10.0.0.0/8")]
pub struct NotANetwork;

impl FromStr for TrustedProxy {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<TrustedProxy, NotANetwork> {
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        network.map(TrustedProxy).map_err(|_| NotANetwork)
    }
}

/// All trusted proxies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies(pub(crate) Vec<TrustedProxy>);

impl Proxies {
    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|TrustedProxy(network)| network.contains(&address))
    }

    /// The origin of a request: the right-most untrusted hop. Everything left of it was written by the sender. At a hop
    /// that is not an address, the search ends with the hop that passed it on.
    pub(crate) fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut origin = peer;
        let mut hops = headers.get_all(FORWARDED_FOR).iter().rev().flat_map(|value| {
            let text = value.to_str().unwrap_or_default();
            text.rsplit(',').map(str::trim).collect::<Vec<_>>()
        });
        while self.trust(origin) {
            let Some(hop) = hops.next().and_then(address) else { break };
            origin = hop;
        }
        origin
    }
}

/// A hop's address, with or without a port.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect(text)
    }

    #[test]
    fn a_visitors_addresses_are_one_network() {
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.255", true),
            ("192.0.2.1", "192.0.3.1", false),
            ("2001:db8:0:ff00::1", "2001:db8:0:ffff:1:2:3:4", true),
            ("2001:db8:0:fe00::1", "2001:db8:0:ff00::1", false),
            ("::ffff:192.0.2.1", "192.0.2.9", true),
        ] {
            assert_eq!(Network::of(ip(one)) == Network::of(ip(other)), same, "{one} {other}");
        }
    }

    #[test]
    fn the_networks_around_an_address_are_those_that_are_handed_out() {
        let around = |address| Origin::of(ip(address)).around().map(|prefix| prefix.to_string()).collect::<Vec<_>>();
        assert_eq!(around("203.0.113.9"), ["203.0.0.0/16", "203.0.113.0/24"]);
        assert_eq!(around("::ffff:203.0.113.9"), around("203.0.113.9"));
        let of_six = ["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1:ff00::/56", "2001:db8:1:ff02::/64"];
        assert_eq!(around("2001:db8:1:ff02:3::4"), of_six);
        for address in ["203.0.113.9", "2001:db8:1:ff02:3::4"] {
            let origin = Origin::of(ip(address));
            assert_eq!(origin.mean(|_| 7.0), 7.0);
            let of_network = Origin::from(origin.network);
            assert!(origin.around().any(|prefix| prefix == origin.network.into()), "{address}");
            assert_eq!(of_network.network, origin.network);
            let shared = origin.around().zip(of_network.around()).filter(|(one, other)| one == other).count();
            assert!(shared >= 2, "{address}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_its_own_word() {
        let trusted = |texts: &[&str]| Proxies(texts.iter().map(|text| text.parse().expect(text)).collect());
        let (none, one, two) = (trusted(&[]), trusted(&["127.0.0.1"]), trusted(&["127.0.0.0/8", "10.1.0.0/16"]));
        for (proxies, peer, headers, origin) in [
            (&none, "127.0.0.1", &["203.0.113.9"][..], "127.0.0.1"),
            (&one, "192.0.2.1", &["203.0.113.9"], "192.0.2.1"),
            (&one, "127.0.0.1", &[], "127.0.0.1"),
            (&one, "127.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            (&one, "::ffff:127.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            // The visitor's own entries are on the left.
            (&one, "127.0.0.1", &["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
            (&one, "127.0.0.1", &["1.1.1.1", "203.0.113.9"], "203.0.113.9"),
            (&two, "127.0.0.1", &["1.1.1.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
            (&two, "127.0.0.1", &["1.1.1.1, 10.2.2.3"], "10.2.2.3"),
            (&one, "127.0.0.1", &["1.1.1.1, nonsense"], "127.0.0.1"),
            (&one, "127.0.0.1", &["1.1.1.1,"], "127.0.0.1"),
            (&one, "127.0.0.1", &["198.51.100.7:4711"], "198.51.100.7"),
            (&one, "127.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1"),
            (&one, "127.0.0.1", &["[2001:db8::1]"], "2001:db8::1"),
            (&two, "127.0.0.1", &["10.1.0.1"], "10.1.0.1"),
        ] {
            let mut map = HeaderMap::new();
            for header in headers {
                map.append(FORWARDED_FOR, HeaderValue::from_static(header));
            }
            assert_eq!(proxies.origin(ip(peer), &map), ip(origin), "{peer} {headers:?}");
        }
    }

    #[test]
    fn networks_and_addresses_are_read_and_nothing_else() {
        for good in ["10.0.0.0/8", "127.0.0.1", "::1", "2001:db8::/32"] {
            assert!(good.parse::<TrustedProxy>().is_ok(), "{good}");
        }
        for bad in ["", "10.0.0.0/33", "localhost", "10.0.0"] {
            assert_eq!(bad.parse::<TrustedProxy>(), Err(NotANetwork), "{bad}");
        }
    }
}
