package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Connections and turns are divided among clients. A client is an IPv4 address, or an IPv6 network of /64: whoever has
// one address of such a network has them all.

// clientOf returns the client at the other end of a connection.
func clientOf(a net.Addr) netip.Prefix { return clientAt(a.String()) }

// clientOfRequest returns the client that made a request. If a proxy names its client in the header called forwarded,
// the client is the last address in the header, added by the proxy. Earlier addresses are the client's own claims.
func clientOfRequest(r *http.Request, forwarded string) netip.Prefix {
	if forwarded != "" {
		if list := r.Header.Values(forwarded); len(list) > 0 {
			all := strings.Split(list[len(list)-1], ",")
			if c := clientAt(strings.TrimSpace(all[len(all)-1])); c.IsValid() {
				return c
			}
		}
	}
	return clientAt(r.RemoteAddr)
}

// clientAt returns the client of an address with or without a port, "" if the text is not an address.
func clientAt(text string) netip.Prefix {
	ip, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		ap, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Prefix{}
		}
		ip = ap.Addr()
	}
	ip = ip.Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(ip, bits).Masked()
}
