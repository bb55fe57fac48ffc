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
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
)

const (
	engineFile = "engine.wasm.gz"
	engineLine = "[data-testid=engine]"
)

// TestStatic checks that girih serve --static writes a folder that contains the engine and that any file server can
// serve, under any path.
func TestStatic(t *testing.T) {
	needBrowser(t)
	dir := filepath.Join(t.TempDir(), "site")
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute) // it builds three engines
	defer cancel()
	run := func(name string, args ...string) {
		var out bytes.Buffer
		c := exec.CommandContext(ctx, name, args...)
		c.Stdout, c.Stderr = &out, &out
		c.Dir = ".."
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		c.WaitDelay = 5 * time.Second
		if err := c.Run(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out.String())
		}
	}
	with := filepath.Join(t.TempDir(), "girih")
	if _, err := os.Stat("../internal/door/web/embedded/" + engineFile); err != nil {
		run("go", "run", "./internal/door/web/bundle", "-engine", "-level", "4")
		t.Cleanup(func() { os.RemoveAll("../internal/door/web/embedded") })
	}
	run("go", "build", "-tags", "engine", "-o", with, "./cmd/girih")
	run(with, "serve", "--static", dir)
	whole := filepath.Join(t.TempDir(), "whole")
	run("go", "run", "./internal/door/web/bundle", "-kernels", dir, "-level", "1")
	run("go", "run", "./internal/cmd/release", "site", dir, whole)
	for _, name := range []string{"kernels.wasm.gz", "kernels.wasm.br"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	site(t, dir)
	t.Run("kernels", func(t *testing.T) { runsKernels(t, dir, whole) })
	t.Run("loading", func(t *testing.T) { loads(t, dir) })
	t.Run("early", func(t *testing.T) { early(t, dir) })
	t.Run("starts", func(t *testing.T) { starts(t, dir) })
	t.Run("broken", func(t *testing.T) { breaks(t, dir) })
}

// site serves the folder under a path and uses the pages.
func site(t *testing.T, dir string) {
	mux := http.NewServeMux()
	const under = "/some/where/"
	mux.Handle(under, http.StripPrefix(under, http.FileServer(http.Dir(dir))))
	files := httptest.NewServer(mux)
	defer files.Close()
	p := openAt(t, files.URL+under, "e=(6,2):(8,2)+o+(4,3):(3,1)")
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	if n := get[int](p, "performance.getEntriesByType('resource').filter((e) => e.name.includes('programs')).length"); n != 0 {
		t.Error("the larger engine is loaded for a layout of known integers")
	}
	p.write(bar, "(6,2):(1,7) o (3,2):(2,3)") // the larger engine explains it
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
	p.load("page=004")
	p.waitText(line("0", "3")+" .value", "12:1")
	if n := get[int](p, "performance.getEntriesByType('resource').filter((e) => !e.name.startsWith(location.origin)).length"); n != 0 {
		t.Errorf("%d things are loaded from elsewhere", n)
	}
}

// slow serves a folder but sends the engine piece by piece. Each value of next ends a piece: it is the number of bytes
// sent from the beginning.
type slow struct {
	base string
	size int
	next chan int
}

func slowly(t *testing.T, dir string) slow {
	module, err := os.ReadFile(filepath.Join(dir, engineFile))
	if err != nil {
		t.Fatal(err)
	}
	s := slow{size: len(module), next: make(chan int)}
	over := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/"+engineFile, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(module)))
		for done := 0; done < len(module); {
			select {
			case n := <-s.next:
				w.Write(module[done:n])
				w.(http.Flusher).Flush()
				done = n
			case <-over: // the test has failed and will send no more values
				return
			}
		}
	})
	files := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(over)
		files.Close()
	})
	s.base = files.URL + "/"
	return s
}

// loads checks the page while its engine arrives slowly.
func loads(t *testing.T, dir string) {
	s := slowly(t, dir)
	p := openAt(t, s.base, "e=8:1")
	s.next <- s.size / 4
	p.waitText(engineLine, "loading the engine downloading: "+megabytes(s.size/4)+" of "+megabytes(s.size)+" MB")
	p.wait("document.querySelector('" + engineLine + "').matches('[role=status]') && document.querySelector('" + engineLine + " progress').value > 0")
	before := get[float64](p, "document.querySelector('"+engineLine+" progress').value")
	p.write(bar, "(6,2):(8,2) o (4,3):(3,1)") // the user types during the download
	p.wait("location.hash.includes('(6,2):(8,2)')")
	s.next <- s.size / 2
	p.waitText(engineLine, "downloading: "+megabytes(s.size/2)+" of")
	if now := get[float64](p, "document.querySelector('"+engineLine+" progress').value"); now <= before {
		t.Errorf("the bar goes from %v to %v", before, now)
	}
	s.next <- s.size
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	p.wait("!document.querySelector('" + engineLine + "')")
}

// early checks that the pictures of plain layouts appear before the engine is ready, and do not change afterwards.
func early(t *testing.T, dir string) {
	for _, hash := range []string{
		"", "e=(4,8):(8,1)", "e=((2,2),(2,4)):((1,8),(2,16))&theme=dark", "e=(4,8,3):(8,1,0)", "e=Sw<2,0,-3>+o+5+o+(4,8):(8,1)&by=bank", "e=(256,512):(512,1)",
	} {
		t.Run(hash, func(t *testing.T) {
			s := slowly(t, dir)
			p := openAt(t, s.base, hash)
			p.wait("girihTest.firstPaint && document.querySelector('" + engineLine + "')")
			const look = `JSON.stringify([...document.querySelectorAll("canvas")].map((c) => [c.getBoundingClientRect(), c.toDataURL()])) +
				document.querySelector("[data-testid=value]").innerText + document.querySelector(".views").className`
			p.js("window.seen = new Set(); const look = () => { seen.add(" + look + "); requestAnimationFrame(look); }; look()")
			s.next <- s.size
			p.wait("!document.querySelector('" + engineLine + "')")
			p.waitText(".facts", "rank")
			p.settle()
			if n := get[int](p, "seen.size"); n != 1 {
				t.Errorf("the page has %d looks while its engine comes", n)
			}
		})
	}
	s := slowly(t, dir)
	p := openAt(t, s.base, "e=(6,2):(8,2)+o+(4,3):(3,1)")
	p.waitText(engineLine, "loading the engine")
	if n := get[int](p, "document.querySelectorAll('canvas').length"); n != 0 {
		t.Errorf("there are %d pictures of what only the engine knows", n)
	}
	p.write(bar, "(2,3):(3,1)")
	p.waitText("[data-testid=value]", "(2,3):(3,1)")
	p.waitText(engineLine, "loading the engine")
	s.next <- s.size
	p.waitText(".facts", "size")
}

// starts measures a visit with empty browser caches, and then a visit with full caches: the times from the start of the
// navigation until the first picture is painted, and until the engine is ready.
func starts(t *testing.T, dir string) {
	files := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer files.Close()
	for _, hash := range []string{"", "e=(6,2):(8,2)+o+(4,3):(3,1)"} {
		var picture, engine, again []float64
		for range rounds(5) {
			p := blank(t, files.URL+"/")
			call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
				let loading = false;
				new MutationObserver(() => {
					const line = document.querySelector("` + engineLine + `");
					if (line) loading = true;
					else if (loading) girihTest.ready ??= performance.now();
				}).observe(document, { childList: true, subtree: true })`})
			visit := func() {
				p.load(hash)
				p.wait("girihTest.ready && girihTest.firstPaint")
			}
			visit()
			picture = append(picture, get[float64](p, "girihTest.firstPaint"))
			engine = append(engine, get[float64](p, "girihTest.ready"))
			visit()
			again = append(again, get[float64](p, "girihTest.ready"))
		}
		t.Logf("#%s: first picture %s ms; engine %s ms, on the second visit %s ms", hash, spread(picture), spread(engine), spread(again))
	}
}

func megabytes(n int) string { return fmt.Sprintf("%.1f", float64(n)/1e6) }

// breaks checks what the page says when a file is missing or broken.
func breaks(t *testing.T, dir string) {
	module, err := os.ReadFile(filepath.Join(dir, engineFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		content    []byte // nil: the file is missing
		says       string
	}{
		{"no engine", engineFile, nil, "the engine does not start engine.wasm.gz is missing: the file server says 404 Not Found"},
		{"half an engine", engineFile, module[:len(module)/2], "the engine does not start engine.wasm.gz did not arrive whole"},
		{"another file", engineFile, []byte("<html>not found</html>"), "the engine does not start engine.wasm.gz is another file"},
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
			p.waitText(engineLine, c.says)
			p.wait("document.querySelector('" + engineLine + "').matches('[role=alert]')")
			p.waitText(engineLine, "girih serve --static")
			p.write(bar, "4:1") // the page itself continues to work
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
		p.waitText(engineLine, "the engine does not start this browser has no WebAssembly")
	})
}
