package e2e

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// runsKernels uses the kernel page of the site in the folder whole, which has the engine that runs kernels, and of the
// page in dir, which does not.
func runsKernels(t *testing.T, dir, whole string) {
	files := httptest.NewServer(http.FileServer(http.Dir(whole)))
	defer files.Close()
	p := openAt(t, files.URL+"/", "p=kernel&k=vector_add")
	flow := func() { p.wait("document.querySelector('[data-testid=flow] canvas')?.dataset.cells") }
	flow()
	if n := get[int](p, "performance.getEntriesByType('resource').filter((e) => /programs.wasm|engine.wasm/.test(e.name)).length"); n != 0 {
		t.Error("engines are loaded that the page does not ask")
	}
	own := func(text, kind string) {
		p.click("document.querySelector('.pick summary')")
		p.write("#own", text)
		p.click(button("follow it"))
		p.waitText("[data-testid=kernel-name]", kind)
	}
	program, err := os.ReadFile("../internal/lang/traced/testdata/copy.cu")
	if err != nil {
		t.Fatal(err)
	}
	own(string(program), "CuTe program")
	p.waitText(".source-box", "copy(")
	own(`{"about": {"name": "transpose_naive", "type": "f16"}}`, "JSON")
	p.waitText(".source-box", "transpose_naive")

	// A long run says how far it is and can be stopped; the page stays usable, and runs another kernel.
	const running = "[data-testid=running]"
	p.load("p=kernel&set=m=512,n=512,k=64")
	p.waitText(running, "instructions of warps of at most")
	p.click(button("stop"))
	p.waitText("[data-testid=fault]", "the run was stopped")
	p.wait("!document.querySelector('" + running + "')")
	p.click("document.querySelector('.pick summary')")
	p.write("[type=search]", "vector_add")
	p.click("document.querySelector('.choose-kernel li button')")
	flow()
	p.waitText("[data-testid=kernel-name]", "vector_add")
	// A run is given up when its options change, or its page is left: the other page gets its answer.
	p.load("p=kernel&set=m=512,n=512,k=64")
	p.waitText(running, "instructions of warps of at most")
	p.click(button("Explore"))
	p.waitText("[data-testid=value]", ":")
	p.wait("!document.querySelector('" + running + "')")

	page := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer page.Close()
	p = openAt(t, page.URL+"/", "p=kernel")
	p.waitText("[data-testid=fault]", "girih serve and the command line have it")
}

// TestLongLinks pastes programs that are too long for the address as they are: the link has them compressed, works in
// another tab, and says so if it is cut, or if the text is too long even so.
func TestLongLinks(t *testing.T) {
	p := kernel(t, "&k=vector_add")
	program, err := os.ReadFile("../internal/lang/traced/testdata/copy.cu")
	if err != nil {
		t.Fatal(err)
	}
	own := func(mark, more string) {
		p.click("document.querySelector('.pick summary')")
		p.write("#own", strings.Replace(string(program), "r, tD);", "r, tD);  "+mark, 1)+more)
		p.click(button("follow it"))
		p.waitText(".source-box", mark)
	}
	own("// one", strings.Repeat("// a long text\n", 400))
	p.wait("location.hash.includes('own=~z')")
	link := p.hash()
	if len(link) > 2000 {
		t.Errorf("the address has %d characters", len(link))
	}
	other := open(t, strings.TrimPrefix(link, "#")) // has a storage of its own
	other.waitText(".source-box", "// one")
	if n := other.count("[data-testid=only-here]"); n != 0 {
		t.Error("a link with its text holds in its tab only")
	}
	text := get[string](p, "new URLSearchParams(location.hash.slice(1)).get('own')")
	for _, cut := range []string{text[:40], text[:40] + "!!" + text[40:], text[:40] + "AAAA" + text[40:], "~z", "~z____"} {
		other.load("p=kernel&as=program&own=" + cut)
		other.waitText("[data-testid=fault]", "the link is cut or changed")
		other.waitText("[data-testid=gone]", "Paste it again")
	}
	other.click(button("Explore")) // the page goes on
	other.waitText("[data-testid=value]", ":")

	var noise strings.Builder // which does not become shorter than three quarters
	draw := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		noise.WriteString("// ")
		for range 80 {
			noise.WriteByte(byte('0' + draw.IntN(75)))
		}
		noise.WriteByte('\n')
	}
	own("// two", strings.ReplaceAll(noise.String(), "\\", "x"))
	p.waitText("[data-testid=only-here]", "This link holds in this tab only")
	if n := len(p.hash()); n > 300 {
		t.Errorf("the address has %d characters", n)
	}
	p.reload()
	p.waitText(".source-box", "// two")
	p.waitText("[data-testid=only-here]", "This link holds in this tab only")
	other.load(strings.TrimPrefix(p.hash(), "#"))
	other.waitText("[data-testid=gone]", "Paste it again")
}
