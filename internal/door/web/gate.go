package web

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// Limits on simultaneous connections, in total and from one client.
const (
	maxConnections = 512
	maxOfClient    = 448 // a browser or a program may open more connections than it needs; the rest is for other clients
)

// A gate is a listener that limits the connections at a time, in all and for each client. When the places are used up,
// a new connection closes the connection that has been waiting longest: a connection of its own client if that client
// has its share, otherwise one of the client with most connections. A connection waits while its request is not being
// carried out: the request has not fully arrived, or its answer is being read. So idle connections keep nobody out.
type gate struct {
	net.Listener
	places, share int
	closed        chan struct{}
	freed         chan struct{} // contains an element after a guest has left
	once          sync.Once

	mu     sync.Mutex
	guests map[*guest]bool
	of     map[netip.Prefix]int // by client: its number of guests
	clock  int64                // counts the changes of guests
}

// A guest is a connection at its place.
type guest struct {
	net.Conn
	gate   *gate
	client netip.Prefix

	served bool  // a request of the guest is being served; the gate's lock protects this field and since
	since  int64 // the time of the last change of served, by the clock of the gate
}

func newGate(l net.Listener, places, share int) *gate {
	return &gate{
		Listener: l, places: places, share: share, closed: make(chan struct{}), freed: make(chan struct{}, 1),
		guests: map[*guest]bool{}, of: map[netip.Prefix]int{},
	}
}

// Close ends also an Accept that waits for a place.
func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return g.Listener.Close()
}

// Accept returns the next connection that has a place.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		v := &guest{Conn: c, gate: g, client: clientOf(c.RemoteAddr())}
		for {
			admitted, last := g.admit(v)
			if last != nil {
				_ = last.Conn.Close() // its goroutine notices this, and closes it again
			}
			if admitted {
				return v, nil
			}
			if last == v {
				break
			}
			select {
			case <-g.freed:
			case <-g.closed:
				_ = c.Close()
				return nil, net.ErrClosed
			}
		}
	}
}

// admit gives a connection a place, if a place is free or a waiting connection can be closed, and returns the
// connection to close: the new connection itself if its client already has its share of running requests.
func (g *gate) admit(v *guest) (admitted bool, last *guest) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.of[v.client] >= g.share:
		if last = g.longest(v.client); last == nil {
			return false, v
		}
	case len(g.guests) >= g.places:
		if last = g.longest(g.largest()); last == nil {
			return false, nil
		}
	}
	if last != nil {
		g.remove(last)
	}
	g.clock++
	v.since = g.clock
	g.guests[v] = true
	g.of[v.client]++
	return true, last
}

// largest returns the client with the most waiting connections, or nothing if none wait.
func (g *gate) largest() (most netip.Prefix) {
	waiting := map[netip.Prefix]int{}
	oldest := map[netip.Prefix]int64{}
	for v := range g.guests {
		if v.served {
			continue
		}
		waiting[v.client]++
		if at, ok := oldest[v.client]; !ok || v.since < at {
			oldest[v.client] = v.since
		}
	}
	for c, n := range waiting {
		if best := waiting[most]; n > best || n == best && oldest[c] < oldest[most] {
			most = c
		}
	}
	return most
}

// longest returns the connection of a client that has been waiting longest, or nil if none waits.
func (g *gate) longest(client netip.Prefix) (last *guest) {
	for v := range g.guests {
		if v.client == client && !v.served && (last == nil || v.since < last.since) {
			last = v
		}
	}
	return last
}

// remove takes the place of a connection, once.
func (g *gate) remove(v *guest) {
	if !g.guests[v] {
		return
	}
	delete(g.guests, v)
	if g.of[v.client]--; g.of[v.client] == 0 {
		delete(g.of, v.client)
	}
	g.tell()
}

// tell wakes an Accept that waits.
func (g *gate) tell() {
	select {
	case g.freed <- struct{}{}:
	default: // there is already an element
	}
}

// Close gives the place back.
func (v *guest) Close() error {
	err := v.Conn.Close()
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.gate.remove(v)
	return err
}

// begin notes that the request of a connection is being carried out.
func (v *guest) begin() {
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.gate.clock++
	v.served, v.since = true, v.gate.clock
}

// end notes that the request is finished, so that the connection can be closed.
func (v *guest) end() {
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.gate.clock++
	v.served, v.since = false, v.gate.clock
	v.gate.tell()
}

type guestKey struct{}

// withGuest lets a handler know the connection of its request; it is the ConnContext of an [http.Server].
func withGuest(ctx context.Context, c net.Conn) context.Context {
	if v, ok := c.(*guest); ok {
		return context.WithValue(ctx, guestKey{}, v)
	}
	return ctx
}

// attend keeps the connection of an arrived request open until done is called, before the answer is sent.
func attend(ctx context.Context) (done func()) {
	v, ok := ctx.Value(guestKey{}).(*guest)
	if !ok {
		return func() {}
	}
	v.begin()
	return sync.OnceFunc(func() { v.end() })
}
