package web_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"girih/internal/door/web"
	"girih/internal/notice"
)

// listen starts a server; it ends with the test.
func listen(t *testing.T, o web.Options) *web.Server {
	t.Helper()
	s, err := web.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestListenFails(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(listen(t, web.Options{Addr: "127.0.0.1"}).URLs()[0])
	if err != nil {
		t.Fatal(err)
	}
	var port int
	fmt.Sscan(u.Port(), &port)
	for name, c := range map[string]struct {
		o    web.Options
		want string
	}{
		"a port that is taken": {web.Options{Addr: "127.0.0.1", Port: port}, u.Host},
		"no address":           {web.Options{}, "found none"},
		"no host":              {web.Options{Addr: "127.0.0.1", Hosts: []string{""}}, "name of a host"},
		"a short token":        {web.Options{Addr: "127.0.0.1", Token: "secret"}, "16 or more"},
		"a token with a blank": {web.Options{Addr: "127.0.0.1", Token: "0123456789 0123456789"}, "16 or more"},
		"no URL":               {web.Options{Addr: "127.0.0.1", Public: "girih.example"}, "address of a page"},
		"a script":             {web.Options{Addr: "127.0.0.1", Public: "javascript:alert(1)"}, "address of a page"},
		"a state":              {web.Options{Addr: "127.0.0.1", Public: "https://girih.example/#e=4"}, "address of a page"},
	} {
		if _, err := web.Listen(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want something about %s", name, err, c.want)
		}
	}
	s := listen(t, web.Options{Addr: "127.0.0.1", Port: port, NextPort: true})
	var out, errs bytes.Buffer
	if err := s.Announce(&out, &errs); err != nil || s.URLs()[0] == u.String() ||
		!strings.Contains(errs.String(), fmt.Sprintf("port %d is taken", port)) {
		t.Errorf("%v, %q, %q, %v: want another port, and a word about it", s.URLs(), out.String(), errs.String(), err)
	}
}

// fetch returns the status and what came.
func fetch(t *testing.T, c *http.Client, method, to, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	a, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text), a.Header
}

// A server that others reach asks for its token, and gives a cookie for the token; a server on the loopback does so
// only if given a token.
func TestToken(t *testing.T) {
	t.Parallel()
	const mine = "0123456789abcdef.~-_"
	for name, o := range map[string]web.Options{
		"everywhere": {Addr: "0.0.0.0"}, "everywhere, mine": {Addr: "0.0.0.0", Token: mine}, "loopback, mine": {Addr: "127.0.0.1", Token: mine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := listen(t, o)
			var out, errs bytes.Buffer
			if err := s.Announce(&out, &errs); err != nil {
				t.Fatal(err)
			}
			if warned := strings.Contains(errs.String(), "warning: other machines"); warned != (o.Addr == "0.0.0.0") {
				t.Errorf("stderr is %q", errs.String())
			}
			u, err := url.Parse(s.URLs()[0])
			if err != nil {
				t.Fatal(err)
			}
			token := u.Query().Get("token")
			if o.Token != "" && token != o.Token || web.CheckToken(token) != nil || u.Hostname() != "127.0.0.1" {
				t.Fatalf("the address is %s", u)
			}
			base := "http://" + u.Host
			bare := &http.Client{}
			const ask = `{"expr":"4:1"}`
			for _, header := range [][]string{
				nil,
				{"Authorization", "Bearer "},
				{"Authorization", "Bearer " + token[1:]},
				{"Authorization", "Basic " + token},
				{"Cookie", "girih-token-" + u.Port() + "=x"},
				{"Cookie", "girih-token-1=" + token},
			} {
				code, text, h := fetch(t, bare, "POST", base+"/api/eval", ask, header...)
				if code != http.StatusUnauthorized || !strings.Contains(text, "token") ||
					h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
					t.Errorf("%q: %d %s %v", header, code, text, h)
				}
			}
			for _, path := range []string{"/", "/app.js", "/licenses.txt", "/?token=", "/?token=" + token + "x"} {
				if code, _, _ := fetch(t, bare, "GET", base+path, ""); code != http.StatusUnauthorized {
					t.Errorf("GET %s: %d", path, code)
				}
			}
			bearer := "Bearer " + token
			code, text, _ := fetch(t, bare, "POST", base+"/api/eval", ask, "Authorization", bearer)
			if code != 200 || !strings.Contains(text, `"4:1"`) {
				t.Errorf("with the token: %d %s", code, text)
			}
			code, _, _ = fetch(t, bare, "POST", base+"/api/eval", ask, "Authorization", bearer, "Host", "evil.example")
			if code != 421 {
				t.Errorf("another name with the token: %d", code)
			}
			code, _, _ = fetch(t, bare, "POST", base+"/api/eval", ask,
				"Authorization", bearer, "Origin", "http://evil.example")
			if code != 403 {
				t.Errorf("another site with the token: %d", code)
			}
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			browser := &http.Client{Jar: jar}
			if code, text, _ := fetch(t, browser, "GET", u.String(), ""); code != 200 || !strings.Contains(text, "<title>girih") {
				t.Errorf("the address that is printed: %d %.100s", code, text)
			}
			if code, text, _ := fetch(t, browser, "POST", base+"/api/eval", ask); code != 200 || !strings.Contains(text, `"4:1"`) {
				t.Errorf("with the cookie: %d %s", code, text)
			}
			still := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			code, _, h := fetch(t, still, "GET", base+"/?a=b&token="+token, "")
			if c := h.Get("Set-Cookie"); code != http.StatusSeeOther || h.Get("Location") != "./?a=b" ||
				!strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") {
				t.Errorf("%d to %q with %q", code, h.Get("Location"), c)
			}
			_, _, h = fetch(t, still, "GET", base+"//evil.example/?token="+token, "")
			if to := h.Get("Location"); strings.Contains(to, "//") && !strings.HasPrefix(to, "/evil") {
				t.Errorf("it leads to %q", h.Get("Location"))
			}
		})
	}
}

// A server that listens everywhere answers at the addresses that it prints, and prints all existing
// addresses.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	urls := listen(t, web.Options{Addr: "0.0.0.0"}).URLs()
	for _, u := range urls {
		if strings.Contains(u, "0.0.0.0") {
			t.Errorf("%s is no address", u)
		}
		client := &http.Client{}
		client.Jar, _ = cookiejar.New(nil) // it does not fail
		if code, _, _ := fetch(t, client, "GET", u, ""); code != 200 {
			t.Errorf("GET %s: %d", u, code)
		}
	}
	if !slices.IsSorted(urls[1:]) && len(urls) < 3 {
		t.Errorf("%v", urls)
	}
	if one := listen(t, web.Options{Addr: "localhost"}).URLs(); len(one) != 1 || strings.Contains(one[0], "token") {
		t.Errorf("the loopback asks for a token: %v", one)
	}
}

// The page contains the address for links, as text that cannot act as anything else.
func TestPublic(t *testing.T) {
	t.Parallel()
	u := listen(t, web.Options{Addr: "127.0.0.1", Public: `https://Girih.example:444/a?b="><script>&c`}).URLs()[0]
	_, page, _ := fetch(t, http.DefaultClient, "GET", u, "")
	want := `<meta name="girih-public" content="https://Girih.example:444/a?b=&#34;&gt;&lt;script&gt;&amp;c">`
	if !strings.Contains(page, want) {
		t.Errorf("the page lacks %s:\n%s", want, page)
	}
	if code, _, _ := fetch(t, http.DefaultClient, "GET", u, "", "Host", "girih.example"); code != 200 {
		t.Errorf("the public name is answered with %d", code)
	}
	_, page, _ = fetch(t, http.DefaultClient, "GET", serve(t), "")
	if strings.Contains(page, "girih-public") {
		t.Error("the page has an address that nobody gave")
	}
}

// The page gives sites that show a link the whole address of the preview picture, whether the page is served
// or static.
func TestPublicPicture(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"https://girih.example":                "https://girih.example/preview.png",
		"https://girih.example/":               "https://girih.example/preview.png",
		"https://girih.example/a":              "https://girih.example/a/preview.png",
		"https://girih.example/a/":             "https://girih.example/a/preview.png",
		"https://girih.example/a/index.html":   "https://girih.example/a/preview.png",
		"http://girih.example:8080/a/?v=1&w=2": "http://girih.example:8080/a/preview.png",
	} {
		at := listen(t, web.Options{Addr: "127.0.0.1", Public: public}).URLs()[0]
		_, served, _ := fetch(t, http.DefaultClient, "GET", at, "")
		static, err := web.StaticPage(public)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range []string{served, string(static)} {
			for name, content := range map[string]string{"og:image": want, "og:url": html.EscapeString(public)} {
				if tag := `<meta property="` + name + `" content="` + content + `">`; !strings.Contains(page, tag) {
					t.Errorf("--public %s: the page lacks %s", public, tag)
				}
			}
		}
	}
}

func TestLicenses(t *testing.T) {
	t.Parallel()
	code, text, h := fetch(t, http.DefaultClient, "GET", serve(t)+"licenses.txt", "")
	if code != 200 || text != notice.Text() || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		t.Errorf("%d, %d bytes, %v", code, len(text), h)
	}
	_, script, _ := fetch(t, http.DefaultClient, "GET", serve(t)+"app.js", "")
	if !strings.Contains(script, "Jason Miller") {
		t.Error("the script does not have the notice of Preact")
	}
}

// A refusal repeats the requested name; browsers treat the refusal as plain text.
func TestRefusalIsText(t *testing.T) {
	t.Parallel()
	code, text, h := fetch(t, http.DefaultClient, "GET", serve(t), "", "Host", "evil.example")
	if code != 421 || !strings.Contains(text, "evil.example") || h.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %s %v", code, text, h)
	}
}
