package e2e

import (
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// drawnSite serves the page as one without a server, whose engine never comes, with pictures that were drawn of links. It
// returns the address and a function that lists the requested files.
func drawnSite(t *testing.T, links ...string) (address string, asked func() []string) {
	t.Helper()
	var names []string
	for _, l := range links {
		h := fnv.New32a()
		h.Write([]byte("#" + l))
		names = append(names, fmt.Sprintf("%08x", h.Sum32()))
	}
	var mu sync.Mutex
	var files []string
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		files = append(files, strings.TrimPrefix(r.URL.Path, "/"))
		mu.Unlock()
		switch {
		case strings.HasPrefix(r.URL.Path, "/early/"):
			w.Header().Set("Content-Type", "image/svg+xml")
			io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>`)
			return
		case strings.HasPrefix(r.URL.Path, "/engine-worker"):
			select { // the engine never comes
			case <-done:
			case <-r.Context().Done():
			}
			return
		}
		answer, err := http.Get(server + strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		text := strings.Replace(string(body), `name="girih-engine" content="http"`, `name="girih-engine" content="wasm"`, 1)
		if r.URL.Path == "/" {
			text = strings.Replace(text, "</head>", `<meta name="girih-early" content="`+strings.Join(names, " ")+`"></head>`, 1)
		}
		w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
		w.WriteHeader(answer.StatusCode)
		io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(done) })
	return s.URL + "/", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(files)
	}
}

// TestDrawn checks that the picture that was drawn of a link is at the place of the pictures, covers nothing, and is
// loaded before the engine.
func TestDrawn(t *testing.T) {
	needBrowser(t)
	address, asked := drawnSite(t, "e=coalesce(((2,4),4):((1,2),8))", "l=composition&p=lessons")
	for hash, place := range map[string]string{"e=coalesce(((2,4),4):((1,2),8))": ".ask", "p=lessons&l=composition": ".lesson"} {
		p := blank(t, address)
		p.visit(hash)
		p.wait("document.querySelector('[data-testid=early]')?.naturalWidth === 300")
		apart := get[bool](p, "(() => { const [a, b] = [document.querySelector('[data-testid=early]'), document.querySelector("+quote(place)+")].map((e) => e.getBoundingClientRect()); return a.top >= b.bottom || a.left >= b.right; })()")
		if !apart {
			t.Errorf("%s: the picture covers %s", hash, place)
		}
	}
	files := asked()
	engine := slices.Index(files, "engine-worker.js")
	first := slices.IndexFunc(files, func(f string) bool { return strings.HasPrefix(f, "early/") })
	if first < 0 || engine >= 0 && engine < first {
		t.Errorf("the files were asked for in this order: %v", files)
	}
	p := blank(t, address)
	p.visit("e=coalesce(8:2)")
	p.wait("document.querySelector('[data-testid=engine]')")
	if n := p.count("[data-testid=early]"); n != 0 {
		t.Errorf("a link without a picture shows %d", n)
	}
}
