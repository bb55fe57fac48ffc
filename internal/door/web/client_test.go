package web

import (
	"net/http/httptest"
	"testing"
)

// A client is an address of IPv4, a /64 of IPv6, or what a trusted header says.
func TestClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		remote, forwarded, want string
		header                  []string
	}{
		{remote: "127.0.0.1:4000", want: "127.0.0.1/32"},
		{remote: "[::ffff:10.0.0.1]:4000", want: "10.0.0.1/32"},
		{remote: "[2001:db8:1:2:3:4:5:6]:4000", want: "2001:db8:1:2::/64"},
		{remote: "[2001:db8:1:2:ffff::1]:4001", want: "2001:db8:1:2::/64"},
		{remote: "[fe80::1%eth0]:4001", want: "fe80::/64"},
		{remote: "a pipe", want: "invalid Prefix"},
		{remote: "127.0.0.1:4000", header: []string{"10.0.0.7"}, want: "127.0.0.1/32"}, // no option trusts the header
		{remote: "127.0.0.1:4000", forwarded: "X-Forwarded-For", want: "127.0.0.1/32"},
		{remote: "127.0.0.1:4000", forwarded: "X-Forwarded-For", header: []string{"10.0.0.7"}, want: "10.0.0.7/32"},
		{remote: "127.0.0.1:4000", forwarded: "X-Forwarded-For", header: []string{"1.1.1.1, 10.0.0.7:80"}, want: "10.0.0.7/32"},
		{remote: "127.0.0.1:4000", forwarded: "x-forwarded-for", header: []string{"10.0.0.8", "1.1.1.1,2001:db8::5"}, want: "2001:db8::/64"},
		{remote: "127.0.0.1:4000", forwarded: "X-Forwarded-For", header: []string{"unknown"}, want: "127.0.0.1/32"},
	} {
		r := httptest.NewRequest("POST", "/api/eval", nil)
		r.RemoteAddr = c.remote
		for _, h := range c.header {
			r.Header.Add("X-Forwarded-For", h)
		}
		if got := clientOfRequest(r, c.forwarded).String(); got != c.want {
			t.Errorf("%s %v, trusting %q: %s, want %s", c.remote, c.header, c.forwarded, got, c.want)
		}
	}
}
