package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"girih/internal/budget"
)

// A Server serves the explorer at one address.
type Server struct {
	listener net.Listener
	http     *http.Server
}

// Listen opens an address, such as 127.0.0.1:0 for a port that is free, and returns the server of it. Requests must name in
// their Host the address, a name of this machine's loopback, or one of the hosts; others are refused, so that no foreign name
// can be made to mean this server.
func Listen(addr string, hosts ...string) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("%s cannot be listened at: %w", addr, err)
	}
	hosts = slices.Clone(hosts)
	if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	return &Server{
		listener: newGate(l, maxConnections),
		http: &http.Server{
			Handler:           Handler(hosts...),
			ReadHeaderTimeout: 5 * time.Second,
			ReadTimeout:       20 * time.Second,
			WriteTimeout:      2 * time.Minute,
			IdleTimeout:       time.Minute,
			MaxHeaderBytes:    16 << 10,
		},
	}, nil
}

// URL returns the address of the page.
func (s *Server) URL() string {
	addr := s.listener.Addr().String()
	if host, port, err := net.SplitHostPort(addr); err == nil && net.ParseIP(host).IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	return "http://" + addr + "/"
}

// Serve answers requests until the context ends; then it lets those under way finish, for a few seconds, and ends the others.
func (s *Server) Serve(ctx context.Context) error {
	budget.SoftLimit(maxHeap)
	done := make(chan error, 1)
	go func() { done <- s.http.Serve(s.listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if s.http.Shutdown(last) != nil {
			_ = s.http.Close() // what is still open: a slow request, or a connection that a browser opened in advance
		}
		return nil
	}
}

// maxConnections is the number of connections at a time; further ones wait to be accepted.
const maxConnections = 512

// A gate is a listener that accepts only so many connections at a time.
type gate struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newGate(l net.Listener, places int) *gate {
	return &gate{Listener: l, places: make(chan struct{}, places), closed: make(chan struct{})}
}

// Close ends also an Accept that waits for a place.
func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return g.Listener.Close()
}

func (g *gate) Accept() (net.Conn, error) {
	select {
	case g.places <- struct{}{}:
	case <-g.closed:
		return nil, net.ErrClosed
	}
	c, err := g.Listener.Accept()
	if err != nil {
		<-g.places
		return nil, err
	}
	return &guest{Conn: c, leave: sync.OnceFunc(func() { <-g.places })}, nil
}

// A guest is a connection that gives its place back when it is first closed.
type guest struct {
	net.Conn
	leave func()
}

func (c *guest) Close() error {
	err := c.Conn.Close()
	c.leave() // a server that shuts down closes connections beside the goroutines that serve them
	return err
}

// allowed reports whether a Host header names this server.
func allowed(host string, hosts []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	if ip := net.ParseIP(name); ip != nil && ip.IsLoopback() || strings.EqualFold(name, "localhost") {
		return true
	}
	return slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(strings.Trim(h, "[]"), name) })
}

// refuse answers with a status and a sentence.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, fmt.Sprintf(format, args...)+"\n") // a client that is gone needs no answer
}
