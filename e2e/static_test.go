package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
)

// girih serve --static writes a folder that any file server can serve, under any path, with the engine in it.
func TestStatic(t *testing.T) {
	needBrowser(t)
	dir := filepath.Join(t.TempDir(), "site")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out bytes.Buffer
	c := exec.CommandContext(ctx, girih, "serve", "--static", dir)
	c.Stdout, c.Stderr = &out, &out
	c.Dir = ".." // where the engine can be built from
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 5 * time.Second
	if err := c.Run(); err != nil {
		t.Fatalf("girih serve --static: %v\n%s", err, out.String())
	}
	site(t, dir)
	t.Run("loading", func(t *testing.T) { loads(t, dir) })
	t.Run("broken", func(t *testing.T) { breaks(t, dir) })
}

// site serves a folder under a path and uses what is in it.
func site(t *testing.T, dir string) {
	mux := http.NewServeMux()
	const under = "/some/where/"
	mux.Handle(under, http.StripPrefix(under, http.FileServer(http.Dir(dir))))
	files := httptest.NewServer(mux)
	defer files.Close()
	p := openAt(t, files.URL+under, "e=(6,2):(8,2)+o+(4,3):(3,1)")
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	p.write(bar, "(6,2):(1,7) o (3,2):(2,3)")
	p.waitText("[data-testid=fault]", "witness: at index 5, coordinate (2,1)")
	p.write(bar, "(8,16):(16,1)")
	p.waitText("[data-testid=value]", "(8,16):(16,1)")
	p.settle()
	p.point(logical, 0, 0)
	p.settle()
	p.point(logical, 3, 5)
	p.inspects(map[string]string{"coordinate": "(3,5)", "offset": "53"})
	p.write(bar, "zipp")
	p.waitText(".complete", "zipped_divide")
	p.load("p=swizzle&B=0")
	p.waitText("[data-testid=degree-after]", "8-way")
	p.click(button("solve"))
	p.waitText("[data-testid=degree-after]", "conflict-free")
	p.load("p=mma&thread=37")
	p.waitText("[data-testid=holdings]", "V0 (17,2) V1 (17,3) V2 (25,2) V3 (25,3)")
	p.load("p=algebra")
	p.wait("document.querySelectorAll('.steps-card li').length > 0")
	p.load("p=copy")
	p.waitText("[data-testid=legal]", "5 fit")
	p.load("p=compare")
	p.waitText("[data-testid=verdict]", "different at")
	if n := get[int](p, "performance.getEntriesByType('resource').filter((e) => !e.name.startsWith(location.origin)).length"); n != 0 {
		t.Errorf("%d things are loaded from elsewhere", n)
	}
}

// loads looks at the page while its engine comes slowly.
func loads(t *testing.T, dir string) {
	packed, err := os.ReadFile(filepath.Join(dir, "engine.bin"))
	if err != nil {
		t.Fatal(err)
	}
	half, all := make(chan bool), make(chan bool)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/engine.bin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(packed)))
		w.Write(packed[:len(packed)/4])
		w.(http.Flusher).Flush()
		<-half
		w.Write(packed[len(packed)/4 : len(packed)/2])
		w.(http.Flusher).Flush()
		<-all
		w.Write(packed[len(packed)/2:])
	})
	files := httptest.NewServer(mux)
	defer files.Close()
	p := openAt(t, files.URL+"/", "e=8:1")
	const line = "[data-testid=engine]"
	p.waitText(line, "loading the engine downloading: "+megabytes(len(packed)/4)+" of "+megabytes(len(packed))+" MB")
	p.wait("document.querySelector('" + line + "').matches('[role=status]') && document.querySelector('" + line + " progress').value > 0")
	before := get[float64](p, "document.querySelector('"+line+" progress').value")
	p.write(bar, "(6,2):(8,2) o (4,3):(3,1)") // one types meanwhile
	p.wait("location.hash.includes('(6,2):(8,2)')")
	close(half)
	p.waitText(line, "downloading: "+megabytes(len(packed)/2)+" of")
	if now := get[float64](p, "document.querySelector('"+line+" progress').value"); now <= before {
		t.Errorf("the bar goes from %v to %v", before, now)
	}
	p.js("window.said = new Set(); window.looking = setInterval(() => said.add(document.querySelector('" + line + "')?.innerText.replace(/\\s+/g, ' ') ?? ''), 5)")
	close(all)
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	p.wait("!document.querySelector('" + line + "')")
	said := get[[]string](p, "[...said]")
	unpacking := 0
	for _, s := range said {
		if strings.Contains(s, "unpacking: ") {
			unpacking++
		}
	}
	if unpacking < 5 {
		t.Errorf("the page says of unpacking %d times: %q", unpacking, said)
	}
	// The second time it is unpacked already.
	start := time.Now()
	p.load("e=(2,3):(3,1)")
	p.waitText("[data-testid=value]", "(2,3):(3,1)")
	t.Logf("the second visit has its first value after %v", time.Since(start).Round(time.Millisecond))
}

func megabytes(n int) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }

// breaks looks at what the page says when something is missing.
func breaks(t *testing.T, dir string) {
	packed, err := os.ReadFile(filepath.Join(dir, "engine.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		content    []byte // nil: there is none
		says       string
	}{
		{"no engine", "engine.bin", nil, "the engine does not start engine.bin is missing: the file server says 404 Not Found"},
		{"half an engine", "engine.bin", packed[:len(packed)/2], "the engine does not start engine.bin did not arrive whole"},
		{"another file", "engine.bin", []byte("<html>not found</html>"), "the engine does not start the engine is not in the format of this page"},
		{"no worker", "engine-worker.js", nil, "the engine does not start engine-worker.js is missing"},
		{"no support", "wasm_exec.js", nil, "the engine does not start wasm_exec.js is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.Handle("/", http.FileServer(http.Dir(dir)))
			mux.HandleFunc("/"+c.file, func(w http.ResponseWriter, r *http.Request) {
				if c.content == nil {
					http.NotFound(w, r)
					return
				}
				w.Write(c.content)
			})
			files := httptest.NewServer(mux)
			defer files.Close()
			p := blank(t, files.URL+"/")
			p.excuse("404 (Not Found)")
			p.load("e=8:1")
			p.waitText("[data-testid=engine]", c.says)
			p.wait("document.querySelector('[data-testid=engine]').matches('[role=alert]')")
			p.waitText("[data-testid=engine]", "girih serve --static")
			p.write(bar, "4:1") // the page itself goes on
			p.wait("location.hash === '#e=4:1'")
			p.waitText("[data-testid=fault]", "the engine does not answer")
		})
	}
	t.Run("no WebAssembly", func(t *testing.T) {
		files := httptest.NewServer(http.FileServer(http.Dir(dir)))
		defer files.Close()
		p := blank(t, files.URL+"/")
		call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.WebAssembly"})
		p.load("e=8:1")
		p.waitText("[data-testid=engine]", "the engine does not start this browser has no WebAssembly")
	})
}
