package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Connections and turns are shared out between clients. A client is an address of IPv4, or a network of IPv6, /64: who
// has one of its addresses has all of them.

// clientOf returns the client at the other end of a connection.
func clientOf(a net.Addr) netip.Prefix { return clientAt(a.String()) }

// clientOfRequest returns the client that made a request. If a proxy is in between that names its client in the header
// called forwarded, it is the address there: the last one, which the proxy has added. Others before it are the client's
// own claims.
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

// clientAt returns the client of an address with or without a port, nothing for a text that is no address.
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
