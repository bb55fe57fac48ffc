package e2e

import (
	"strings"
	"testing"
)

// The numbers that are proposed for run-time integers keep the facts that are stated, and until they are taken the
// layout is shown as an outline.
func TestOffersTrials(t *testing.T) {
	p := open(t, "e=(M{div=8},K):(K,1)")
	p.wait("document.querySelector('[data-testid=symbolic] svg[role=img]')")
	p.click(button("try K = 8, M = 8"))
	p.waitText("[data-testid=value]", "(8,8):(8,1)")
	p.load("e=(M{<=3},K{>=20,div=7}):(K,1)")
	p.click("document.querySelector('[data-testid=symbols] button')")
	p.wait("document.querySelector('[data-testid=logical-0] canvas')")
	if n := p.count("[data-testid=fault]"); n != 0 {
		t.Errorf("the proposal is refused: %s", p.text("[data-testid=fault]"))
	}
}

// A selection is of an element of a shape, and ends with it; a link brings its own.
func TestOffersSelection(t *testing.T) {
	p := open(t, "e=(8,8):(8,1)&s=0.35")
	p.settle()
	p.write(bar, "(8,8):(1,8)")
	p.waitText("[data-testid=value]", "(8,8):(1,8)")
	p.wait("location.hash.includes('s=0.35')")
	p.write(bar, "(100,100):(100,1)")
	p.waitText("[data-testid=value]", "(100,100):(100,1)")
	p.wait("!location.hash.includes('s=')")
	p.load("e=(4,4):(4,1)&s=0.5")
	p.wait("location.hash.includes('s=0.5')")
}

// A swizzle that may be of bytes is one click away from the layout in elements.
func TestOffersBytes(t *testing.T) {
	p := open(t, "e=Sw<3,4,3> o 0 o (8,64):(64,1)&t=f16")
	p.waitText(".notes", "is meant for bytes")
	p.click(button("Sw<3,3,3> o 0 o (8,64):(64,1)"))
	p.waitText("[data-testid=value]", "Sw<3,3,3> o 0 o (8,64):(64,1)")
	p.waitText(".answer", "swizzled in elements of f16")
	p.wait("!document.querySelector('[data-testid=in-bytes]')")
}

// All that the panel of a pasted module offers has a value.
func TestOffersModule(t *testing.T) {
	p := open(t, "e=4:1")
	p.paste(`#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
%a = ttg.local_load %b : !ttg.memdesc<128x64xf16, #shared> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
`, 1)
	const dot = "linear(dot_op{opIdx=0, parent=nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[2,2], instrShape=[16,8]}, kWidth=2}, (128,64))"
	p.waitText("[data-testid=pasted]", dot)
	p.settle()
	offered := get[string](p, `[...document.querySelectorAll("[data-testid=pasted] .found button")].map((b) => b.title.replace("put it into the line: ", "") || b.textContent).join("\n")`)
	for _, expr := range strings.Split(offered, "\n") {
		p.write(bar, expr)
		p.wait("document.querySelector('[data-testid=value]') && !document.querySelector('.stale, [data-testid=fault]')")
	}
	if !strings.Contains(offered, dot) {
		t.Errorf("offered are %q", offered)
	}
}

// A link to a page that there is not says so.
func TestOffersPage(t *testing.T) {
	p := open(t, "p=nosuch")
	p.waitText("[data-testid=fault]", `there is no page "nosuch"`)
	p.load("p=mma")
	p.wait("!document.querySelector('[data-testid=fault]')")
}

// The page of a server that has ended says so, and goes on by itself when there is one again.
func TestOffersServer(t *testing.T) {
	open(t, "e=8:1") // skips where there is no browser
	address, stop, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	p := openAt(t, address, "e=8:1")
	p.waitText("[data-testid=value]", "8:1")
	p.excuse("ERR_CONNECTION_REFUSED")
	stop()
	p.write(bar, "coalesce((4,2):(1,4))")
	p.waitText("[data-testid=engine]", "the girih serve behind this page has ended")
	port := strings.TrimSuffix(address[strings.LastIndexByte(address, ':')+1:], "/")
	_, stop, err = serve("--port", port)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	p.waitText("[data-testid=value]", "8:1")
	p.wait("!document.querySelector('[data-testid=engine]')")
}
