package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// startGate starts a server with a gate; a request for /slow runs from begun until release is closed.
func startGate(t *testing.T, places, share int) (addr string, begun, release chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, release = make(chan struct{}), make(chan struct{})
	s := &http.Server{
		ConnContext: withGuest,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			done := attend(r.Context())
			if r.URL.Path == "/slow" {
				close(begun)
				<-release
			}
			done()
			io.WriteString(w, "hello")
		}),
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(newGate(l, places, share)) }()
	t.Cleanup(func() { s.Close(); <-done })
	return l.Addr().String(), begun, release
}

// dial connects from an address of the loopback.
func dial(t *testing.T, from, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.DialContext(t.Context(), "tcp", to)
	if err != nil {
		t.Skipf("no connections from %s: %v", from, err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // far beyond what the test takes
	return c
}

// hello asks for a path and fails the test if no answer comes.
func hello(t *testing.T, c net.Conn, path string) {
	t.Helper()
	io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
	answered(t, c)
}

func answered(t *testing.T, c net.Conn) {
	t.Helper()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); err != nil || string(text) != "hello" {
		t.Fatalf("%q, %v", text, err)
	}
}

// Idle connections of every kind keep nobody out.
func TestIdleConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	for name, waste := range map[string]func(t *testing.T, c net.Conn){
		"silent":           func(*testing.T, net.Conn) {},
		"half-sent header": func(_ *testing.T, c net.Conn) { io.WriteString(c, "GET / HTTP/1.1\r\nHost: loc") },
		"half-sent body": func(_ *testing.T, c net.Conn) {
			io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")
		},
		"idle": func(t *testing.T, c net.Conn) { hello(t, c, "/") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr, _, _ := startGate(t, 8, 4)
			for _, from := range []string{"127.0.0.2", "127.0.0.3", "127.0.0.4"} {
				for range 10 {
					waste(t, dial(t, from, addr))
				}
			}
			for range 3 {
				hello(t, dial(t, "127.0.0.5", addr), "/") // another client
			}
			hello(t, dial(t, "127.0.0.2", addr), "/") // a client that wastes places must not lose its share
		})
	}
}

// A running request keeps its connection, no matter how many others arrive.
func TestServedConnectionsStay(t *testing.T) {
	t.Parallel()
	addr, begun, release := startGate(t, 8, 4)
	slow := dial(t, "127.0.0.2", addr)
	io.WriteString(slow, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-begun
	for range 3 {
		hello(t, dial(t, "127.0.0.2", addr), "/")
	}
	for range 20 {
		hello(t, dial(t, "127.0.0.3", addr), "/")
	}
	close(release)
	answered(t, slow)
}

// The rules of the gate, without connections.
func TestAdmit(t *testing.T) {
	t.Parallel()
	g := newGate(nil, 4, 3)
	guestOf := func(client string) *guest {
		return &guest{Conn: nobody{}, gate: g, client: netip.MustParsePrefix(client + "/32")}
	}
	admit := func(v *guest, wantIn bool, want *guest) {
		t.Helper()
		if in, last := g.admit(v); in != wantIn || last != want {
			t.Errorf("%v is admitted: %v for %v, want %v for %v", v, in, last, wantIn, want)
		}
	}
	a1, a2, a3, a4 := guestOf("10.0.0.1"), guestOf("10.0.0.1"), guestOf("10.0.0.1"), guestOf("10.0.0.1")
	b1, b2, c1 := guestOf("10.0.0.2"), guestOf("10.0.0.2"), guestOf("10.0.0.3")
	admit(a1, true, nil)
	admit(a2, true, nil)
	admit(a3, true, nil)
	a1.begin()
	admit(a4, true, a2) // the client is at its share, so its oldest waiting guest must leave
	admit(b1, true, nil)
	admit(b2, true, a3) // all places are in use, most of them by a
	a1.end()
	a4.begin()
	b1.begin()
	b2.begin()
	admit(c1, true, a1)
	c1.begin()
	admit(guestOf("10.0.0.4"), false, nil) // all guests are being served, so the new one waits
	b1.Close()
	b1.Close()
	admit(guestOf("10.0.0.4"), true, nil)
	if len(g.guests) != 4 || g.of[b1.client] != 1 {
		t.Errorf("%d guests, %d of b", len(g.guests), g.of[b1.client])
	}
	g = newGate(nil, 3, 3)
	for range 2 {
		v := guestOf("10.0.0.1")
		admit(v, true, nil)
		v.begin()
	}
	one := guestOf("10.0.0.2")
	admit(one, true, nil)
	admit(guestOf("10.0.0.3"), true, one) // all guests of a are being served, so the waiting guest of b must leave
	g = newGate(nil, 10, 1)
	first, second := guestOf("10.0.0.1"), guestOf("10.0.0.1")
	admit(first, true, nil)
	first.begin()
	admit(second, false, second) // all guests in its share are being served
}

type nobody struct{ net.Conn }

func (nobody) Close() error { return nil }

func TestClientOf(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.2:80": "127.0.0.2/32", "[::ffff:10.1.2.3]:80": "10.1.2.3/32",
		"[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64",
	} {
		if got := clientOf(address(addr)).String(); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
	if clientOf(address("pipe")).IsValid() {
		t.Error("what is no address is one client")
	}
}

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// An Accept that waits for a place ends with the gate.
func TestGateCloses(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(l, 1, 2)
	dial(t, "127.0.0.1", l.Addr().String())
	c, err := g.Accept()
	if err != nil {
		t.Fatal(err)
	}
	attend(withGuest(context.Background(), c))
	dial(t, "127.0.0.1", l.Addr().String())
	done := make(chan error)
	go func() { _, err := g.Accept(); done <- err }()
	g.Close()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("%v", err)
	}
}
