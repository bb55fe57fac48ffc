package e2e

import "testing"

func TestCopyTiled(t *testing.T) {
	p := open(t, "p=copy")
	p.waitText("[data-testid=value]", "tiled_copy_tv(copy_atom(")
	p.wait("document.querySelectorAll('[data-testid^=logical-] canvas').length === 2") // source and destination
	// Each of 128 threads holds 8 values. Thread 9 begins at (1,8) of the tile.
	p.settle()
	p.point("[data-testid=logical-0] canvas", 1, 8)
	p.inspects(map[string]string{"operand": "S", "coordinate": "(1,8)", "thread": "9  = warp 0, lane 9", "value": "0"})
	p.framed("[data-testid=logical-0] canvas", 1, 8)
	p.write("#val", "(1,3)")
	p.wait("document.querySelector('[data-testid=fault]')")
	p.write("#val", "(2,8)")
	p.wait("!document.querySelector('[data-testid=fault]')")
	p.click(button("open in Explore"))
	p.wait("document.querySelector('#expr')?.value.includes('(2,8)')")
}

func TestCopyLegality(t *testing.T) {
	p := open(t, "p=copy")
	p.waitText("[data-testid=legal]", "5 fit")
	p.waitText("[data-testid=legal] table", "✓ SM75_U32x4_LDSM_N sm75")
	if n := p.count("[data-testid=legal] td.failed"); n != 0 {
		t.Errorf("%d instructions that do not fit are shown before one asks", n)
	}
	p.click("document.querySelector('[data-testid=legal] input[type=checkbox]')")
	p.waitText("[data-testid=legal] table", "✗ UniversalCopy<uint64_t> sm50 8 bytes at one address of thread 0 begin with (0,0) at offset 0; at offset 2 there should be (8,0), which is at 512.")
	p.js("girihTest.choose(" + control("operand") + ", 'C')")
	p.settle()
	p.wait("location.hash.includes('o=C')")
	p.write("#smem", "(64,64")
	p.wait("document.querySelector('[data-testid=legal] [data-testid=fault]')")
}

// TestCopyAligned checks that texts and fields are left-aligned on the copy page, as on every page.
func TestCopyAligned(t *testing.T) {
	p := open(t, "p=copy")
	p.wait("document.querySelector('.legal tbody td')")
	if ends := get[[]string](p, "[...document.querySelectorAll('main textarea, main .expr-shade, main td, main .ask-row')].filter((e) => !['start', 'left'].includes(getComputedStyle(e).textAlign)).map((e) => e.outerHTML.slice(0, 80))"); len(ends) > 0 {
		t.Errorf("%d texts are aligned at the right: %s", len(ends), ends[0])
	}
}
