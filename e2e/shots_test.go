package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// looks lists the states that TestShots takes pictures of, with names for the files.
var looks = []struct{ name, hash string }{
	{"explore", ""},
	{"explore-lit", "e=Sw<3,3,3>+o+0+o+(8,64):(64,1)&t=f16&s=0.43"},
	{"explore-mma", "e=" + quoteMMA + "&s=2.37"},
	{"explore-tuple", "e=(1,2,3)"},
	{"explore-open", "e=(?,4):(1,?)"},
	{"explore-given", "e=(?,N):(1,?)&set=?1=8,?2=8,N=4"},
	{"explore-error", "e=(6,2):(1,7)+o+(3,2):(2,3)"},
	{"explore-bits", "e=linear{register=[[0,1],[8,0]],+lane=[[0,2],[0,4],[1,0],[2,0],[4,0]]}"},
	{"explore-large", "e=(256,512):(512,1)"},
	{"explore-outline", "e=(1048576,1048576):(1048576,1)"},
	{"explore-rank3", "e=(4,8,3):(8,1,32)"},
	{"explore-f2", "e=(8,64):(F2(72),F2(1))&t=f16"},
	{"explore-divide", "e=zipped_divide((9,(4,8)):(59,(13,1)),+<3:3,(2,4):(1,8)>)"},
	{"explore-tiledcopy", `e=tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"),+(16,8):(8,1),+(1,8))`},
	{"explore-tiledmma", `e=tiled_mma("SM80_16x8x16_F32F16F16F32_TN",+(2,2,1),+<32,32,16>)`},
	{"algebra-swizzle", "p=algebra&op=coalesce&a=Sw<3,3,3>+o+0+o+(8,64):(64,1)&t=s8"},
	{"compare-shapes", "p=compare&a=(8,64):(64,1)&b=(64,8):(1,64)"},
	{"explore-alias", "e=(4,8):(1,2)"},
	{"algebra", "p=algebra"},
	{"algebra-divide", "p=algebra&op=zipped_divide"},
	{"algebra-product", "p=algebra&op=raked_product"},
	{"algebra-refused", "p=algebra&a=(6,2):(1,7)&b=(3,2):(2,3)"},
	{"swizzle", "p=swizzle"},
	{"swizzle-conflicts", "p=swizzle&B=1"},
	{"mma", "p=mma&thread=37&s=2.37"},
	{"copy", "p=copy"},
	{"kernel", "p=kernel"},
	{"kernel-lit", "p=kernel&s=0.325"},
	{"kernel-phase", "p=kernel&by=phase&m=40.1&v=2.banks"},
	{"kernel-tma", "p=kernel&k=wgmma_tma_sm90"},
	{"kernel-legal", "p=kernel&k=wgmma_tma_sm90&h=2"},
	{"kernel-computed", "p=kernel&k=attention_sm80&s=3.1222"},
	{"kernel-repair", `p=kernel&k=transpose_swizzled&type=f16&was={"kernel":"transpose_padded","type":"f16"}`},
	{"kernel-refused", "p=kernel&k=nosuch"},
	{"kernel-zh", "p=kernel&lang=zh&s=0.325"},
	{"operations", "p=operations"},
	{"operations-tma", "p=memory&op=tma"},
	{"operations-illegal", "p=operations&op=descriptor&expr=(64,64):(72,1)&type=f16"},
	{"operations-global", "p=operations&op=global"},
	{"operations-gemm", "p=operations&op=gemm"},
	{"operations-sim", "p=operations&op=sim"},
	{"operations-zh", "p=operations&op=bank&lang=zh"},
	{"compare", "p=compare"},
	{"compare-error", "p=compare&a=16:&b=8:1"},
	{"copy-error", "p=copy&val=(1,3)"},
	{"copy-all", "p=copy&all=1"},
	{"lesson", "p=lessons"},
	{"lesson-carries", "p=lessons&l=composition&k=2"},
	{"lesson-refused", "p=lessons&l=composition&k=4"},
	{"lesson-swizzle", "p=lessons&l=swizzle&k=2"},
	{"lesson-atom", "p=lessons&l=atoms&k=3"},
	{"lesson-bits", "p=lessons&l=bits&k=5"},
	{"lesson-static", "p=lessons&l=static&k=4"},
	{"lesson-padding", "p=lessons&l=padding&k=2"},
	{"lesson-undo", "p=lessons&l=undo&k=4"},
	{"lesson-f2", "p=lessons&l=f2&k=3"},
	{"lesson-tensor", "p=lessons&l=tensor&k=5"},
	{"lesson-gemm", "p=lessons&l=gemm&k=3"},
	{"lesson-gemm-mma", "p=lessons&l=gemm&k=5"},
	{"lesson-zh", "p=lessons&l=gemm&k=4&lang=zh"},
	{"open", "p=open"},
	{"open-seed", "page=000"},
	{"open-zh", "page=003&lang=zh"},
	{"lesson-zh-refused", "p=lessons&l=f2&k=3&lang=zh"},
}

// TestShots writes pictures of all pages, in both themes and three widths, to the folder that the flag -shots names.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("pictures are written with -shots DIR")
	}
	needBrowser(t)
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, l := range looks {
		t.Run(l.name, func(t *testing.T) { // -run Shots/lesson selects some states
			p := blank(t, server)
			for _, width := range []int64{1440, 1920, 390} {
				if width < 500 {
					p.do(chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
				} else {
					p.do(chromedp.EmulateViewport(width, width*9/16))
				}
				for _, theme := range []string{"light", "dark"} {
					p.load(l.hash + "&theme=" + theme)
					all := true
					r := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &all})
					name := filepath.Join(*shots, fmt.Sprintf("%s-%s-%d.png", l.name, theme, width))
					if err := os.WriteFile(name, r.Data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
	t.Run("steps", func(t *testing.T) { // the steps of all lessons
		p := open(t, "p=lessons")
		n := 0
		walk(p, func(_ string, l lesson, k int) {
			r := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{})
			n++
			if err := os.WriteFile(filepath.Join(*shots, fmt.Sprintf("step-%02d-%s-%d.png", n, l.ID, k+1)), r.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	})
}
