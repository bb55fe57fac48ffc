package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// On a phone nothing sticks out to the right, and the grids can be used.
func TestPhone(t *testing.T) {
	for _, hash := range []string{
		"", "e=" + quoteMMA, "p=algebra", "p=algebra&op=zipped_divide", "p=swizzle", "p=mma&thread=5&s=2.5", "p=copy", "p=compare",
		"e=(6,2):(1,7)+o+(3,2):(2,3)",
		`e=tiled_mma("SM80_16x8x16_F32F16F16F32_TN",+(2,2,1),+<32,32,16>)`,
	} {
		p := blank(t, server)
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		p.load(hash)
		p.settle()
		w := get[struct {
			Scroll, Client int
			Over           []string
		}](p, "girihTest.wide()")
		if w.Client != 390 || w.Scroll > w.Client {
			t.Errorf("%s: the page is %d wide on a screen of %d: %v", hash, w.Scroll, w.Client, w.Over)
		}
		if n := get[int](p, "[...document.querySelectorAll('canvas')].filter((e) => e.clientWidth < 200).length"); n > 0 {
			t.Errorf("%s: %d grids are narrower than 200", hash, n)
		}
	}
}

const quoteMMA = `mma("SM80_16x8x16_F32F16F16F32_TN")`
