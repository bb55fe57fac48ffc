package e2e

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
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
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("girih serve --static: %v\n%s", err, out.String())
			}
			site(t, dir)
			return
		case <-time.After(3 * time.Second):
			if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && ignoresStatic() {
				cancel()
				<-ended
				t.Skip("girih serve does not write a static folder yet")
			}
		}
	}
}

// ignoresStatic reports whether the binary serves although it was told to write: it has no engine to write.
func ignoresStatic() bool {
	source, err := os.ReadFile(filepath.Join("..", "cmd", "girih", "main.go"))
	return err == nil && !bytes.Contains(source, []byte("Static"))
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
