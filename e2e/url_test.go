package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// states lists a state of each page, with everything in the URL, and a change of one control.
var states = []struct {
	hash   string
	shows  []string // values that the controls show
	change string   // JavaScript statements
	after  string   // a part of the hash after the change
}{
	{"e=(4,8):(8,1)&t=f16&by=bank&s=0.9", []string{"(4,8):(8,1)", "f16", "bank"}, "girihTest.choose(girihTest.control('color by'), 'offset')", "by=offset"},
	{"e=(4,8):(8,1)&mem=bank", []string{"banks true"}, "girihTest.button('memory').click()", "e=(4,8)"},
	{"p=copy&all=1", []string{"sm80"}, "document.querySelector('[data-testid=legal] input[type=checkbox]').click()", "p=copy"},
	{"e=((2,2),4):((8,4),1)&tile=(4,4)&by=thread", []string{"((2,2),4):((8,4),1)", "(4,4)", "thread"}, "girihTest.choose(girihTest.control('element'), 's8')", "t=s8"},
	{"p=algebra&op=raked_product&a=(2,2):(2,1)&b=(3,2):(2,1)", []string{"(2,2):(2,1)", "(3,2):(2,1)", "raked_product true"}, "girihTest.button('blocked_product').click()", "op=blocked_product"},
	{"p=swizzle&tile=(16,32):(32,1)&t=f32&access=ld.v4&threads=rows&m=sm80&B=2&M=2&S=4", []string{"(16,32):(32,1)", "f32", "ld.v4", "rows", "sm80", "2", "4"}, "girihTest.choose(girihTest.control('machine'), 'sm90')", "B=2"},
	{"p=mma&atom=SM90_64x64x16_F32F16F16_SS&atoms=(1,1,1)&q=sm90+64x64&by=warp&thread=40&s=2.40&po=C&pa=M&pr=4", []string{"(1,1,1)", "sm90 64x64", "warp", "40", "C", "M", "4"}, "girihTest.choose(girihTest.control('along'), 'N')", "pa=N"},
	{"p=copy&op=UniversalCopy<uint64_t>&t=f32&thr=(8,16):(16,1)&val=(1,2)&by=value&mma=SM80_16x8x8_F32F16F16F32_TN&o=B&smem=(64,32):(32,1)&arch=sm75", []string{"UniversalCopy<uint64_t>", "f32", "(8,16):(16,1)", "(1,2)", "value", "SM80_16x8x8_F32F16F16F32_TN", "B", "(64,32):(32,1)", "sm75"}, "girihTest.choose(girihTest.control('operand'), 'C')", "o=C"},
	{"p=compare&a=(4,2):(2,1)&b=(2,4):(1,2)&order=transpose", []string{"(4,2):(2,1)", "(2,4):(1,2)", "transpose"}, "girihTest.choose(girihTest.control('compare'), 'index')", "p=compare"},
}

func TestURL(t *testing.T) {
	for _, c := range states {
		t.Run(c.hash[:min(len(c.hash), 30)], func(t *testing.T) {
			p := open(t, c.hash)
			p.settle()
			was := get[[]any](p, "girihTest.controls()")
			for _, want := range c.shows {
				if !slices.Contains(was, any(want)) {
					t.Errorf("no control shows %q: %v", want, was)
				}
			}
			hash := p.hash()
			p.reload()
			if now := get[[]any](p, "girihTest.controls()"); fmt.Sprint(now) != fmt.Sprint(was) {
				t.Errorf("after loading the URL again the controls show\n%v, before\n%v", now, was)
			}
			if p.hash() != hash {
				t.Errorf("loading the URL has changed it: %s, was %s", p.hash(), hash)
			}
			p.js(c.change)
			p.wait("location.hash.includes(" + quote(c.after) + ") && location.hash !== " + quote(hash))
			p.settle()
			changed := get[[]any](p, "girihTest.controls()")
			if fmt.Sprint(changed) == fmt.Sprint(was) {
				t.Error("the change shows in no control")
			}
			p.reload()
			if now := get[[]any](p, "girihTest.controls()"); fmt.Sprint(now) != fmt.Sprint(changed) {
				t.Errorf("after the change and loading the URL again the controls show\n%v, before\n%v", now, changed)
			}
		})
	}
}

func TestURLBack(t *testing.T) {
	p := open(t, "e=8:2")
	p.click(button("Algebra"))
	p.wait("document.querySelector('#opA')")
	p.write("#opA", "24:2")
	p.waitText("[data-testid=value]", "):(")
	p.click(button("Swizzle"))
	p.wait("document.querySelector('#tile')")
	p.do(chromedp.NavigateBack())
	p.wait("document.querySelector('#opA')?.value === '24:2'")
	p.do(chromedp.NavigateBack())
	p.wait("document.querySelector('#expr')?.value === '8:2'")
	p.do(chromedp.NavigateForward())
	p.wait("document.querySelector('#opA')?.value === '24:2'")
	p.click(button("Explore")) // Explore is in the state in which the user left it
	p.wait("document.querySelector('#expr')?.value === '8:2'")
	p.click("document.querySelector('.wordmark')")
	p.wait("document.querySelector('#expr')?.value.startsWith('Sw<3,3,3>')")
}

func TestTheme(t *testing.T) {
	p := open(t, "e=8:2")
	paper := "getComputedStyle(document.documentElement).backgroundColor"
	light := get[string](p, paper)
	p.click(button("dark theme"))
	p.wait(paper + " !== " + quote(light))
	p.wait("location.hash.includes('theme=dark')")
	p.click(button("Algebra"))
	p.wait("document.querySelector('#opA')")
	p.wait("document.documentElement.dataset.theme === 'dark'") // the theme applies to all pages
	p.click(button("light theme"))
	p.wait(paper + " === " + quote(light))
}
