package e2e

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// extent returns the numbers of rows and columns of the grid on a canvas.
func (p *tab) extent(canvas string) string {
	return get[string](p, fmt.Sprintf("(() => { const g = girihTest.grid(%s); return g.rows + ' x ' + g.cols; })()", quote(canvas)))
}

// TestViewsFold checks a grid in which four warps are side by side, each 32 lanes high. Thread 37 is lane 5 of warp 1,
// and the value 2 of this thread is in the third column of the warp.
func TestViewsFold(t *testing.T) {
	p := open(t, "p=mma&s=2.293") // selects value 2 of thread 37 in C
	p.settle()
	p.click("document.querySelector('[data-testid=hardware-2] summary')")
	h := "[data-testid=hardware-2] canvas"
	p.wait("document.querySelector(" + quote(h) + ")")
	p.settle()
	if got := p.extent(h); got != "32 x 16" {
		t.Fatalf("the grid of C by thread is %s, want 32 x 16", got)
	}
	p.framed(h, 5, 4+2)
	p.point(h, 31, 3*4+1)
	p.inspects(map[string]string{"operand": "C", "thread": "127  = warp 3, lane 31", "value": "1"})
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	// A wavefront of CDNA has 64 lanes.
	p.load(`e=tiled_mma("v_mfma_f32_16x16x16_f16",+(2,2,1))`)
	p.settle()
	p.point("[data-testid=logical-2] canvas", 0, 16)
	p.inspects(map[string]string{"thread": "128  = warp 2, lane 0"})
}

// TestViewsMMAInLine checks that the rows of A are level with the rows of C, that the columns of B are above the
// columns of C, and that all cells have the same size.
func TestViewsMMAInLine(t *testing.T) {
	for _, hash := range []string{"p=mma", "p=mma&perm=<32,32,16>", `e=tiled_mma("SM90_64x128x16_F32F16F16_SS",(1,1,1))`, `e=mma("SM80_16x8x16_F32F16F16F32_TN")`} {
		p := open(t, hash)
		p.wait("document.querySelector('[data-testid=logical-2] canvas')")
		p.settle()
		type place struct{ X, Y, Width, Height float64 }
		at := func(k int) place {
			return get[place](p, fmt.Sprintf(`(() => {
				const f = girihTest.fit("[data-testid=logical-%d] canvas");
				const r = f.canvas.getBoundingClientRect();
				return { X: r.left + f.x, Y: r.top + f.y, Width: f.width, Height: f.height };
			})()`, k))
		}
		near := func(x, y float64) bool { return math.Abs(x-y) < 0.6 }
		a, b, c := at(0), at(1), at(2)
		if !near(a.Y, c.Y) || !near(b.X, c.X) || !near(a.Width, c.Width) || !near(b.Width, c.Width) || !near(a.Height, c.Height) || !near(b.Height, c.Height) {
			t.Errorf("%s: A %+v, B %+v, C %+v are not in line", hash, a, b, c)
		}
	}
}

// TestViewsMemoryRows checks that memory with many offsets has rows longer than 32, a multiple of all banks, and that
// pointing is as exact as with short rows.
func TestViewsMemoryRows(t *testing.T) {
	p := open(t, "e=(256,512):(512,1)&s=0.131071")
	p.waitText("[data-testid=logical-0] figcaption", "256 × 512")
	p.settle()
	if got := p.extent(memory); got != "256 x 512" {
		t.Errorf("memory of 131,072 offsets is %s", got)
	}
	p.load("e=(64,64):(-300,3)")
	p.settle()
	g := get[struct{ Rows, Cols int }](p, "(() => { const g = girihTest.grid("+quote(memory)+"); return { Rows: g.rows, Cols: g.cols }; })()")
	if g.Cols%32 != 0 || g.Cols < 64 || g.Rows > 4*g.Cols {
		t.Errorf("memory from -18900 to 189 is %d x %d", g.Rows, g.Cols)
	}
	base := int(math.Floor(-18900/float64(g.Cols))) * g.Cols
	p.press(logical, 63, 0) // the offset -18900
	p.inspects(map[string]string{"offset": "-18900"})
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.framed(memory, 0, -18900-base)
	p.point(memory, (-18900-base+3)/g.Cols, (-18900-base+3)%g.Cols)
	p.inspects(map[string]string{"offset": "-18897", "coordinate": "(63,1)"})
}

// TestViewsFailure opens the page with an erroneous expression. The page explains the error, draws the operands, and
// accepts a repair.
func TestViewsFailure(t *testing.T) {
	p := open(t, "e=size(composition((6,2):(1,7),(3,2):(2,3)))")
	p.waitText("[data-testid=fault]", "not_representable")
	p.waitText("[data-testid=failure]", "digit 0 reaches 2·2 + 1·3 = 7, its extent is 6")
	p.waitText("[data-testid=failed-a]", "A(7) = 8")
	p.waitText("[data-testid=failed-b]", "B(5) = 7")
	p.framed("[data-testid=failed-a] canvas", 1, 1)
	p.framed("[data-testid=failed-b] canvas", 2, 1)
	p.click(button("(6,2):(1,7) o (2,2):(2,3)"))
	p.wait("document.querySelector('#expr').value === 'size((6,2):(1,7) o (2,2):(2,3))'")
	p.waitText("[data-testid=value]", "4")
	p.write("#expr", "compositon((4,2):(1,4), 3:1)")
	p.wait("document.querySelector('.expr-shade .wrong')?.textContent === 'compositon'")
	p.click(button("composition((4,2):(1,4), 3:1)"))
	p.waitText("[data-testid=value]", "3:1")
	p.write("#expr", "(64,64):(64,1")
	p.click(button("(64,64):(64,1)"))
	p.wait("document.querySelector('#expr').value === '(64,64):(64,1)'")
	p.write("#expr", `mma("SM80_16x8x16_F32F16F16F32_TM")`)
	p.waitText(".repair", `mma("SM80_16x8x16_F32F16F16F32_TN")`)
}

// TestViewsZoomInURL checks that the URL contains the zoom and position of a grid, and that reloading restores both.
// The key 0 removes both.
func TestViewsZoomInURL(t *testing.T) {
	p := open(t, "e=(64,64):(64,1)")
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	for range 4 {
		p.keys("+")
	}
	p.wait("/z=g0,2\\.856,[\\d.]+,[\\d.]+/.test(location.hash)")
	p.settle()
	cells := "document.querySelector(" + quote(logical) + ").dataset.cells"
	was := get[string](p, cells)
	p.reload()
	p.settle()
	now := get[string](p, cells)
	var a, b [4]float64
	fmt.Sscan(was, &a[0], &a[1], &a[2], &a[3])
	fmt.Sscan(now, &b[0], &b[1], &b[2], &b[3])
	for k := range a {
		if math.Abs(a[k]-b[k]) > 1 {
			t.Errorf("cells are at %s, were at %s", now, was)
			break
		}
	}
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	p.keys("0")
	p.wait("!location.hash.includes('z=')")
	// A picture of another shape does not keep the zoom.
	p.keys("+")
	p.wait("location.hash.includes('z=g0')")
	p.write("#expr", "(8,8):(8,1)")
	p.wait("!location.hash.includes('z=')")
	for _, z := range []string{"g0,999999,1,1", "g0,0,0,0", "g0,1e9,a,b", "~~~,,,", "g0,2,-9999999,9999999"} {
		p.load("e=(64,64):(64,1)&z=" + z)
		p.waitText("[data-testid=value]", "(64,64):(64,1)")
		p.settle()
	}
}
