package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// A guard admits requests that name this server and, if the server has a token, contain the token. A page of another
// site can make a browser send requests here, even under a name of its own, but the page cannot send the token, nor
// read this server's answers.
type guard struct {
	hosts  []string // the names by which the server may be called, in addition to the loopback addresses
	token  string   // "" if no token is required
	cookie string   // the name of the cookie with the token; it contains the port, which cookies ignore
}

// admit reports whether a request is admitted; if not, admit has already answered.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	if !g.namesServer(r) {
		refuse(w, http.StatusMisdirectedRequest, "this is not %q: girih serve answers to its own address; --host allows "+
			"another name", r.Host)
		return false
	}
	if g.token == "" || g.knows(bearer(r)) {
		return true
	}
	if c, err := r.Cookie(g.cookie); err == nil && g.knows(c.Value) {
		return true
	}
	if r.Method == http.MethodGet && g.knows(r.URL.Query().Get("token")) {
		return g.welcome(w, r)
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="girih"`)
	refuse(w, http.StatusUnauthorized, "this girih asks for its token: open the address that girih serve printed, or "+
		"send Authorization: Bearer TOKEN")
	return false
}

// welcome stores the token in a cookie and removes it from the address bar.
func (g *guard) welcome(w http.ResponseWriter, r *http.Request) bool {
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie, Value: g.token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
	if r.URL.Path != "/" {
		return true
	}
	rest := r.URL.Query()
	rest.Del("token")
	to := "./" // relative, because a proxy may add a path prefix
	if len(rest) > 0 {
		to += "?" + rest.Encode()
	}
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
	return false
}

// knows compares in a time that reveals nothing about the token.
func (g *guard) knows(token string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

func bearer(r *http.Request) string {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return token
}

// namesServer reports whether the Host of a request names this server. With a token, the address at which the request
// arrived is also accepted.
func (g *guard) namesServer(r *http.Request) bool {
	name, ok := hostName(r.Host)
	if !ok {
		return false
	}
	ip, err := netip.ParseAddr(name)
	if name == "localhost" || err == nil && ip.IsLoopback() {
		return true
	}
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && err == nil && g.token != "" {
		if ap, err := netip.ParseAddrPort(at.String()); err == nil && ap.Addr().Unmap().WithZone("") == ip.Unmap() {
			return true
		}
	}
	return slices.Contains(g.hosts, name)
}

// hostName returns the name or address before the port in a Host header, in lower case and without the root's trailing
// dot.
func hostName(host string) (name string, ok bool) {
	if in, rest, found := strings.Cut(host, "]"); found {
		in, found = strings.CutPrefix(in, "[")
		ip, err := netip.ParseAddr(in)
		return ip.String(), found && err == nil && ip.Is6() && isPort(rest)
	}
	name, port, found := strings.Cut(host, ":")
	if found && !isPort(":"+port) {
		return "", false
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`[]/\@?#%`, r) }) {
		return "", false
	}
	return name, name != ""
}

// isPort reports whether text is nothing, or a colon and digits.
func isPort(text string) bool {
	digits, found := strings.CutPrefix(text, ":")
	return text == "" || found && !strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
}

// secure sets the security headers of every response, including errors. frames are the origins whose pages may show
// this one in a frame.
func secure(h http.Header, frames string) {
	h.Set("Content-Security-Policy", policy+frames)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
}

// refuse answers with a status and a sentence.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, fmt.Sprintf(format, args...)+"\n") // the client may be gone, and then needs no answer
}

// minToken is the length of the shortest token that may be given, in characters.
const minToken = 16

// CheckToken returns what is wrong with a token that a person has chosen.
func CheckToken(token string) error {
	const others = "-._~" // characters that are not escaped in addresses and cookies
	bad := strings.ContainsFunc(token, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	})
	if len(token) < minToken || bad {
		return fmt.Errorf("expected a token of %d or more letters, digits and %s, found one of %d characters", minToken,
			others, len(token))
	}
	return nil
}

// newToken returns an unguessable token: rand.Text has at least 128 bits.
func newToken() string { return strings.ToLower(rand.Text()) }
