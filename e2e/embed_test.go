package e2e

import "testing"

// TestEmbed checks that a page in a frame of another page has the picture alone, and that it is the same picture.
func TestEmbed(t *testing.T) {
	p := open(t, "e=(4,8):(8,1)&embed")
	p.waitText("[data-testid=logical-0]", "4 × 8")
	for _, hidden := range []string{"header", ".ask", ".export"} {
		if get[bool](p, "[...document.querySelectorAll("+quote(hidden)+")].some((e) => e.offsetParent !== null)") {
			t.Errorf("%s is there", hidden)
		}
	}
	p.settle()
	p.point(logical, 2, 3)
	p.framed(logical, 2, 3)
	p.load("e=(4,8):(8,1)")
	p.wait("document.querySelector('header').offsetParent !== null")
}

// TestCellText checks that cells show what the reader chooses.
func TestCellText(t *testing.T) {
	p := open(t, "e=(4,8):(8,1)")
	p.inspects(map[string]string{"coordinate": "(0,0)", "offset": "0"}) // the first element, before any is pointed at
	p.choose("select[aria-label='text of cells']", "coordinate")
	p.wait("location.hash.includes('text=coordinate')")
}

// TestBack checks that the browser's history has the states that were looked at.
func TestBack(t *testing.T) {
	p := open(t, "e=(4,8):(8,1)")
	p.waitText("[data-testid=value]", "(4,8):(8,1)")
	p.js("setTimeout(() => { window.later = true; }, 1600)")
	p.wait("window.later")
	p.write(bar, "(2,2):(1,2)")
	p.waitText("[data-testid=value]", "(2,2):(1,2)")
	p.js("history.back()")
	p.waitText("[data-testid=value]", "(4,8):(8,1)")
}

// TestSwizzleOfSeveral checks that a tile is counted and drawn for several accesses.
func TestSwizzleOfSeveral(t *testing.T) {
	p := open(t, "p=swizzle&B=1&access=ldmatrix.x4,+cp.async.16")
	p.waitText("[data-testid=degree-after]", "ldmatrix.x4 4-way")
	p.waitText("[data-testid=degree-after1]", "cp.async.16 4-way")
	p.wait("document.querySelectorAll('[data-testid=lanes-after] img').length === 2")
	p.click(button("solve"))
	p.waitText("[data-testid=degree-after]", "conflict-free")
	p.waitText("[data-testid=degree-after1]", "conflict-free")
	p.click("document.querySelector(\"[data-testid=lanes-after] button:nth-of-type(2)\")")
	p.wait("document.querySelectorAll('[data-testid=lanes-after] img').length === 1 && location.hash.includes('show=bank')")
}
