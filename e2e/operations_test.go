package e2e

import (
	"strings"
	"testing"
)

// TestOperations fills in the form that asks what hardware requires of a tile. The page shows the same verdict as the
// command line, and a picture.
func TestOperations(t *testing.T) {
	p := open(t, "p=memory") // the name that the page had before
	p.waitText("[data-testid=verdict]", "legal: SW128, K-major, LBO 16, SBO 1024, descriptor 0x4000004000010000")
	p.wait("document.querySelector('[data-testid=drawn]')?.naturalWidth > 0")
	p.write("input[aria-label=expr]", "(64,64):(72,1)")
	p.wait("document.querySelector('[data-testid=verdict]').textContent.startsWith('not legal')")
	p.click(operation("tma"))
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
		p.click(operation(op))
		p.wait("document.querySelector('[data-testid=verdict]')?.textContent.length > 10")
	}
}

// operation is the button of an operation in the list.
func operation(name string) string {
	return "[...document.querySelectorAll('.catalogue li button')].find((e) => e.firstChild.textContent === '" + name + "')"
}

// TestOperationsAll opens the form of each operation: its first example has an answer.
func TestOperationsAll(t *testing.T) {
	p := open(t, "p=operations")
	p.wait("document.querySelector('.catalogue li button')")
	names := get[[]string](p, "[...document.querySelectorAll('.catalogue li button')].map((e) => e.firstChild.textContent)")
	if len(names) < 30 {
		t.Errorf("the operations are %q", names)
	}
	for _, name := range names {
		p.click(operation(name))
		p.wait("document.querySelector('.catalogue [aria-current]').firstChild.textContent === '" + name + "'")
		p.settle()
		p.wait("document.querySelector('[data-testid=told]')?.textContent.length > 10")
	}
}

// TestOperationsSearch finds an operation by a word, runs it with another number, and shows the line for a terminal.
func TestOperationsSearch(t *testing.T) {
	p := open(t, "p=operations")
	p.write("#filter", "sectors")
	p.wait("document.querySelectorAll('.catalogue li').length === 1")
	p.click(operation("global"))
	p.waitText("[data-testid=told]", "12.5% of the bytes that move are used")
	p.write("input[aria-label=expr]", "(1024,8):(1,1024)")
	p.waitText("[data-testid=told]", "100% of the bytes that move are used")
	p.waitText(".told-line", "girih global '(1024,8):(1,1024)' --type f32 --access ld --threads '(32,8):(1,1024)'")
	p.reload()
	p.wait("document.querySelector('input[aria-label=expr]')?.value === '(1024,8):(1,1024)'")
}

// TestTaskBox is the way of somebody whose tensor map is refused, from the first page: why, and with what it is legal.
func TestTaskBox(t *testing.T) {
	p := open(t, "")
	p.click(button("Operations"))
	p.click(operation("tma"))
	p.write("input[aria-label=expr]", "(1000,100):(100,1)")
	p.write("input[aria-label=box]", "64,64")
	p.write("input[aria-label=type]", "e4m3")
	p.waitText("[data-testid=told]", "globalStrides[0] is 100 bytes, no multiple of 16")
	p.click(button("take it"))
	p.wait("document.querySelector('[data-testid=verdict]').textContent.startsWith('legal')")
	p.wait("document.querySelector('input[aria-label=expr]').value === '(1000,100):(112,1)'")
}

// TestTaskSwizzle is the way of somebody who looks for the swizzle of a tile that cp.async fills and ldmatrix reads.
func TestTaskSwizzle(t *testing.T) {
	p := open(t, "")
	p.click(button("Swizzle"))
	p.write("#tile", "(128,64):(64,1)")
	p.write("input[list=accesses]", "ldmatrix.x4, cp.async.16")
	p.click(button("solve"))
	p.waitText("[data-testid=solution]", "Sw<3,3,3>")
	p.waitText("[data-testid=degree-after]", "conflict-free")
	p.waitText("[data-testid=degree-after1]", "conflict-free")
	p.waitText("[data-testid=swizzle]", "Sw<3,3,3>")
}
