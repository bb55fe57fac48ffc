package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestMMABrowser(t *testing.T) {
	p := open(t, "p=mma")
	p.waitText("h1", "SM80_16x8x16_F32F16F16F32_TN")
	p.waitText(".atom", "mma.sync.aligned.m16n8k16")
	p.write("#filter", "sm90 f16 64x128")
	p.wait("[...document.querySelectorAll('.browser li')].length > 3 && [...document.querySelectorAll('.browser li')].every((e) => e.innerText.includes('64x128'))")
	p.click("[...document.querySelectorAll('.browser li button')].find((e) => e.title === 'SM90_64x128x16_F32F16F16_SS')")
	p.waitText("h1", "SM90_64x128x16_F32F16F16_SS")
	p.waitText(".atom", "wgmma")
	p.wait("document.querySelector('.browser [aria-current=true]').title === 'SM90_64x128x16_F32F16F16_SS'")
	p.click(button("gfx942"))
	p.wait("[...document.querySelectorAll('.browser li')].length > 3 && document.querySelector('.browser li').innerText.includes('v_mfma_')")
	p.write("#filter", "nosuchthing")
	p.waitText(".browser", "0 instructions")
}

// TestMMAHoldings uses four warps, two along M and two along N. Thread 37 is lane 5 of warp 1, whose rows start at 16.
func TestMMAHoldings(t *testing.T) {
	p := open(t, "p=mma")
	p.wait("document.querySelector('[data-testid=logical-2] canvas')")
	p.write("input[type=number][placeholder=all]", "37")
	p.waitText("[data-testid=holdings]", "thread 37 holds")
	p.waitText("[data-testid=holdings]", "V0 (17,2) V1 (17,3) V2 (25,2) V3 (25,3)")
	p.wait("location.hash.includes('thread=37') && location.hash.includes('s=2.37')")
	p.inspects(map[string]string{"operand": "C", "thread": "37  = warp 1, lane 5", "coordinate": "(17,2)"})
	// With a permutation, each thread holds more values in the tile, at other places.
	p.write("#perm", "<32,32,16>")
	p.waitText("[data-testid=holdings]", "V0 (17,2) V1 (17,3) V2 (25,2) V3 (25,3) V4 (17,18) V5 (17,19)")
	p.write("#atoms", "(4,1,1)")
	p.write("#perm", "")
	p.waitText("[data-testid=value]", "(4,1,1)")
	p.waitText("[data-testid=logical-2] figcaption", "64 × 8")
	p.write("#atoms", "(0,1,1)")
	p.wait("document.querySelector('[data-testid=fault]')")
	p.write("#atoms", "(1,1,1)")
	p.waitText("[data-testid=logical-2] figcaption", "16 × 8")
	p.wait("!document.querySelector('[data-testid=fault]')")
}

// TestMMAPermutes asks the solver for eight contiguous values along N. The page uses the permutation from the solver.
func TestMMAPermutes(t *testing.T) {
	p := open(t, "p=mma")
	p.js("girihTest.choose(" + control("along") + ", 'N')")
	p.write("input[type=number][placeholder='8']", "8")
	p.wait(button("take it"))
	const found = "<_,(2,8,4):(1,8,2),_>"
	p.waitText(".mma-body", found)
	p.waitText(".mma-body", "after: (0,0) (0,1) (8,0) (8,1) (0,2) (0,3)")
	p.click(button("take it"))
	p.wait("document.querySelector('#perm').value === " + quote(found))
	p.waitText("[data-testid=value]", found)
	p.write("input[type=number][placeholder='8']", "3")
	p.wait("document.querySelector('.mma-body > .card [data-testid=fault]')")
}

// TestMMAThreadIsOneChoice checks that the thread in the field always agrees with the thread of the selected element.
func TestMMAThreadIsOneChoice(t *testing.T) {
	p := open(t, "p=mma&thread=37") // a link may set the thread
	field := "input[type=number][placeholder=all]"
	p.inspects(map[string]string{"operand": "C", "thread": "37  = warp 1, lane 5", "value": "0"})
	p.press("[data-testid=logical-2] canvas", 9, 5)
	p.inspects(map[string]string{"coordinate": "(9,5)", "thread": "6  = warp 0, lane 6", "value": "3"})
	p.waitText("[data-testid=holdings]", "thread 6 holds")
	p.wait("document.querySelector('" + field + "').value === '6'")
	p.keys(kb.Escape)
	p.wait("document.querySelector('" + field + "').value === '' && !document.querySelector('[data-testid=holdings]')")
	// There are 128 threads, and C has 512 elements, so no element belongs to thread 200.
	p.write(field, "200")
	p.waitText("[data-testid=no-thread]", "the threads are 0 to 127")
	p.settle()
	if in := get[map[string]string](p, "girihTest.inspector()"); in["index"] != "0" { // the card shows the first element
		t.Errorf("for thread 200 there is lit %v", in)
	}
	// An edit can also remove the thread.
	p.write(field, "100")
	p.inspects(map[string]string{"thread": "100  = warp 3, lane 4"})
	p.write("#atoms", "(1,1,1)")
	p.waitText("[data-testid=no-thread]", "the threads are 0 to 31")
	p.settle()
	if in := get[map[string]string](p, "girihTest.inspector()"); in["index"] != "0" {
		t.Errorf("for thread 100 of 32 there is lit %v", in)
	}
}

// TestMMAQuadPair checks a quad-pair of Volta, which consists of the threads 0 to 3 and 16 to 19. Threads 4 to 15 hold
// nothing, and no element is broadcast.
func TestMMAQuadPair(t *testing.T) {
	p := open(t, `e=tiled_mma("SM70_8x8x4_F32F16F16F32_NT")`)
	p.waitText("[data-testid=hardware-2] figcaption", "8 threads × 8 values")
	p.waitText("[data-testid=logical-2] [data-testid=legend]", "thread T0 to 3, T16 to 19")
	if text := p.text("main"); strings.Contains(text, "broadcast") {
		t.Error("elements are said to be broadcast")
	}
	p.settle()
	c := "[data-testid=logical-2] canvas"
	p.point(c, 4, 0)
	p.inspects(map[string]string{"thread": "16  = warp 0, lane 16"})
	p.load(`p=mma&atom=SM70_8x8x4_F32F16F16F32_NT&atoms=(1,1,1)&thread=5`)
	p.waitText("[data-testid=holdings]", "none: it takes no part")
}
