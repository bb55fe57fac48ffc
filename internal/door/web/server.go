package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"girih/internal/budget"
)

// A Server serves the explorer at one address.
type Server struct {
	listener net.Listener
	http     *http.Server
	token    string
	notes    []string // notes about the address, for the user
}

// Options say where the explorer is served and to whom.
type Options struct {
	Addr     string   // the address to listen at, such as 127.0.0.1; not empty
	Port     int      // the port; 0 for a free port
	NextPort bool     // if Port is in use, take the next free port
	Hosts    []string // names, in addition to the address, by which the server may be called
	// required in requests; if it is "" and others can reach the server, the server makes a token
	Token  string
	Public string // the address in links for people who cannot use the server's own address; "" for the browser's address
	// the header in which a proxy names its client, such as X-Forwarded-For; "" without a proxy that sets it
	Forwarded string
	Frames    []string // the origins whose pages may show the explorer in a frame, such as https://docs.example
}

// nextPorts is how many ports are tried before falling back to any free port.
const nextPorts = 20

// Listen opens an address and returns its server. The Host of a request must name the address, a name of this machine's
// loopback, or one of the hosts; other requests are refused, so that no foreign name can be made to resolve to this
// server. A server that listens beyond the loopback asks for a token.
func Listen(o Options) (*Server, error) {
	g, err := o.guard()
	if err != nil {
		return nil, err
	}
	for _, origin := range o.Frames {
		if err := checkOrigin(origin); err != nil {
			return nil, err
		}
	}
	l, err := listen(o)
	if err != nil {
		return nil, err
	}
	at := addrOf(l)
	if name, ok := hostName(o.Addr); ok && !at.Addr().IsUnspecified() {
		g.hosts = append(g.hosts, name) // the address may be a name
	}
	if g.token == "" && !at.Addr().IsLoopback() {
		g.token = newToken()
	}
	g.cookie = fmt.Sprintf("girih-token-%d", at.Port())
	return &Server{
		listener: newGate(l, maxConnections, maxOfClient),
		token:    g.token,
		notes:    o.notes(at),
		http: &http.Server{
			Handler:           newHandler(g, o),
			ConnContext:       withGuest,
			ReadHeaderTimeout: 5 * time.Second,
			ReadTimeout:       20 * time.Second,
			WriteTimeout:      2 * time.Minute,
			IdleTimeout:       time.Minute,
			MaxHeaderBytes:    16 << 10,
		},
	}, nil
}

// guard checks the options, and returns the guard that admits requests.
func (o Options) guard() (*guard, error) {
	if o.Addr == "" {
		return nil, errors.New("expected an address to listen at, found none: 127.0.0.1 is for this machine alone, " +
			"0.0.0.0 for the network")
	}
	g := &guard{token: o.Token}
	for _, h := range o.Hosts {
		name, ok := hostName(h)
		if ip, err := netip.ParseAddr(h); err == nil {
			name, ok = ip.String(), true
		}
		if !ok {
			return nil, fmt.Errorf("expected the name of a host, found %q", h)
		}
		g.hosts = append(g.hosts, name)
	}
	if o.Public != "" {
		host, err := checkPublic(o.Public)
		if err != nil {
			return nil, err
		}
		g.hosts = append(g.hosts, host)
	}
	if strings.ContainsFunc(o.Forwarded, func(c rune) bool { return c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		return nil, fmt.Errorf("expected the name of a header, such as X-Forwarded-For, found %q", o.Forwarded)
	}
	if o.Token == "" {
		return g, nil
	}
	return g, CheckToken(o.Token)
}

// notes says what is special about the address of a server with these options.
func (o Options) notes(at netip.AddrPort) (notes []string) {
	if port := int(at.Port()); o.Port != 0 && port != o.Port {
		notes = append(notes, fmt.Sprintf("note: port %d is taken, this is %d: what the browser keeps for one port, "+
			"it does not have for the other", o.Port, port))
	}
	if !at.Addr().IsLoopback() {
		notes = append(notes, "warning: other machines can reach this address, and what is sent is not encrypted; "+
			"everybody with the token can use the server")
	}
	return notes
}

// listen opens the port, or one that is free.
func listen(o Options) (net.Listener, error) {
	ports := []int{o.Port}
	if o.NextPort && o.Port != 0 {
		for p := o.Port + 1; p <= min(o.Port+nextPorts, 1<<16-1); p++ {
			ports = append(ports, p)
		}
		ports = append(ports, 0)
	}
	network := "tcp"
	if ip, err := netip.ParseAddr(o.Addr); err == nil && ip.Is4() {
		network = "tcp4" // otherwise 0.0.0.0 would also include all IPv6 addresses
	}
	var first error
	for _, p := range ports {
		addr := net.JoinHostPort(strings.Trim(o.Addr, "[]"), strconv.Itoa(p))
		l, err := net.Listen(network, addr)
		if err == nil {
			return l, nil
		}
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		if first == nil {
			first = fmt.Errorf("%s cannot be listened at: %w", addr, err)
		}
	}
	return nil, first
}

// checkPublic returns the host of an address for links.
func checkPublic(public string) (host string, err error) {
	u, err := url.Parse(public)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Fragment == "" && u.User == nil {
		if host, ok := hostName(u.Host); ok {
			return host, nil
		}
	}
	return "", fmt.Errorf("expected the address of a page, such as https://girih.example/, found %q", public)
}

// addrOf returns where a listener listens.
func addrOf(l net.Listener) netip.AddrPort {
	ap, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}

// URLs returns the addresses of the page, with the token if there is one. For a server that listens everywhere, these
// are the loopback address and this machine's network addresses.
func (s *Server) URLs() []string {
	at := addrOf(s.listener)
	hosts := []netip.Addr{at.Addr()}
	if at.Addr().IsUnspecified() {
		hosts = append([]netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}, ownAddresses(at.Addr())...)
	}
	query := ""
	if s.token != "" {
		query = "?token=" + s.token
	}
	list := make([]string, len(hosts))
	for i, h := range hosts {
		list[i] = "http://" + netip.AddrPortFrom(h, at.Port()).String() + "/" + query
	}
	return list
}

// ownAddresses returns the addresses of this machine at which others reach a server that listens at the given one: IPv4
// addresses, and IPv6 addresses if the server listens at an IPv6 address.
func ownAddresses(at netip.Addr) (list []netip.Addr) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil // the loopback address is always available
	}
	for _, a := range addrs {
		p, err := netip.ParsePrefix(a.String())
		if err == nil && p.Addr().IsGlobalUnicast() && (at.Is6() || p.Addr().Is4()) {
			list = append(list, p.Addr())
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Less(list[j]) })
	return list
}

// Announce writes the addresses to stdout, one a line, and any notes about them to stderr.
func (s *Server) Announce(stdout, stderr io.Writer) error {
	for _, n := range s.notes {
		fmt.Fprintln(stderr, n)
	}
	head := "girih explorer: "
	for _, u := range s.URLs() {
		if _, err := fmt.Fprintf(stdout, "%s%s\n", head, u); err != nil {
			return err
		}
		head = strings.Repeat(" ", len(head))
	}
	return nil
}

// Serve answers requests until the context ends; then it gives running requests a few seconds to finish, and ends the
// rest.
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
			_ = s.http.Close() // closes what is still open: a slow request, or a connection that a browser opened in advance
		}
		return nil
	}
}

// checkOrigin refuses what is not the origin of a site: a scheme, a host, and perhaps a port. "*" is every site.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	wrong := err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || origin != u.Scheme+"://"+u.Host
	if wrong && origin != "*" || strings.ContainsAny(origin, " ;,") {
		return fmt.Errorf("expected the origin of a site that may show the page in a frame, such as https://docs.example, "+
			"found %.80q", origin)
	}
	return nil
}
