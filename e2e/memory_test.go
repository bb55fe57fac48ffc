package e2e

import (
	"strings"
	"testing"
)

// TestMemory fills in the form that asks what hardware requires of a tile. The page shows the same verdict as the
// command line, and a picture.
func TestMemory(t *testing.T) {
	p := open(t, "p=memory")
	p.waitText("[data-testid=verdict]", "legal: SW128, K-major, LBO 16, SBO 1024, descriptor 0x4000004000010000")
	p.wait("document.querySelector('[data-testid=drawn]')?.naturalWidth > 0")
	p.write("input[aria-label=expr]", "(64,64):(72,1)")
	p.wait("document.querySelector('[data-testid=verdict]').textContent.startsWith('not legal')")
	p.click(button("tma"))
	p.wait("document.querySelector('[data-testid=verdict]')?.textContent.startsWith('legal: one instruction')")
	p.write("input[aria-label=box]", "128,1024")
	p.wait("document.querySelector('[data-testid=verdict]').textContent.includes('instructions')")
	if h := p.hash(); !strings.Contains(h, "op=tma") || !strings.Contains(h, "box=128,1024") {
		t.Errorf("the state is %s", h)
	}
	p.reload()
	p.wait("document.querySelector('input[aria-label=box]')?.value === '128,1024'")
	p.write("input[aria-label=type]", "f17")
	p.waitText("[data-testid=fault] b", "name")
	for _, op := range []string{"predicate", "align", "budget"} {
		p.click(button(op))
		p.wait("document.querySelector('[data-testid=verdict]')?.textContent.length > 10")
	}
}
