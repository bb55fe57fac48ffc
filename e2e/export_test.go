package e2e

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
)

// exporting opens the page and intercepts its output: the names and contents of saved files, and copied texts.
func exporting(t *testing.T, hash string) *tab {
	t.Helper()
	needBrowser(t)
	return exportingAt(t, server, hash)
}

func exportingAt(t *testing.T, base, hash string) *tab {
	t.Helper()
	return exportingTab(openAt(t, base, hash))
}

// exportingTab intercepts the output of the page that a tab shows.
func exportingTab(p *tab) *tab {
	p.js(`
		window.saved = [];
		window.copied = [];
		const blobs = new Map();
		const make = URL.createObjectURL;
		URL.createObjectURL = (b) => { const u = make.call(URL, b); blobs.set(u, b); return u; };
		HTMLAnchorElement.prototype.click = function () {
			const b = blobs.get(this.href);
			b.arrayBuffer().then((a) => {
				let s = "";
				for (const x of new Uint8Array(a)) s += String.fromCharCode(x);
				saved.push({ Name: this.download, Type: b.type, Data: btoa(s) });
			});
		};
		Object.defineProperty(navigator, "clipboard", { value: { writeText: async (s) => void copied.push(s) } });
	`)
	return p
}

// saved is a file that the page tried to save.
type saved struct{ Name, Type, Data string }

// exported presses the button called name and returns the file that the page saves.
func (p *tab) exported(name string) (file saved, content []byte) {
	p.t.Helper()
	p.js("saved.length = 0")
	p.click(button(name))
	p.wait("saved.length > 0 || document.querySelector('.export [data-testid=fault]')")
	if fault := p.text(".export [data-testid=fault]"); fault != "" {
		p.t.Fatalf("export of %s: %s", name, fault)
	}
	file = get[saved](p, "saved[0]")
	content, err := base64.StdEncoding.DecodeString(file.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	return file, content
}

func TestExportPictures(t *testing.T) {
	for hash, name := range map[string]string{
		"e=(4,8):(8,1)": "4x8-8-1", `e=mma("SM80_16x8x16_F32F16F16F32_TN")&theme=dark`: "mma-SM80-16x8x16-F32F16F16F32-TN", "e=(4,8):(1,4)&tile=(8,4)&t=f16": "4x8-1-4",
		"e=Sw<3,3,3>+o+0+o+(8,64):(64,1)&t=f16": "Sw-3-3-3-o-0-o-8x64-64-1", "e=((2,2),(4,2)):((1,8),(2,16))": "2x2x4x2-1-8-2-16",
	} {
		p := exporting(t, hash)
		file, svg := p.exported("SVG")
		if file.Name != name+".svg" || file.Type != "image/svg+xml" || !bytes.HasPrefix(svg, []byte("<svg")) || !bytes.Contains(svg, []byte("</svg>")) {
			t.Errorf("%s: the SVG is %s, %s: %.80s", hash, file.Name, file.Type, svg)
		}
		file, data := p.exported("PNG")
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil || file.Name != name+".png" {
			t.Fatalf("%s: the PNG is %s: %v", hash, file.Name, err)
		}
		if b := picture.Bounds(); b.Dx() < 200 || b.Dy() < 100 {
			t.Errorf("%s: the PNG has %v pixels", hash, b)
		}
		colors := map[[3]uint32]bool{}
		for y := 0; y < picture.Bounds().Dy(); y += 3 {
			for x := 0; x < picture.Bounds().Dx(); x += 3 {
				r, g, b, _ := picture.At(x, y).RGBA()
				colors[[3]uint32{r, g, b}] = true
			}
		}
		if len(colors) < 5 {
			t.Errorf("%s: the PNG has %d colors: it is empty", hash, len(colors))
		}
		file, tex := p.exported("TikZ")
		if file.Name != name+".tex" || !bytes.Contains(tex, []byte(`\begin{tikzpicture}`)) {
			t.Errorf("%s: the TikZ is %s: %.80s", hash, file.Name, tex)
		}
	}
}

// TestExportOpen checks that an open layout, whose elements are known only at run time, offers its code but no picture.
func TestExportOpen(t *testing.T) {
	p := exporting(t, "e=(?,4):(1,?)")
	p.waitText("[data-testid=symbolic]", "?1, ?2")
	disabled := "[...document.querySelectorAll('.export > button')].filter((e) => e.disabled).map((e) => e.innerText).join(' ')"
	p.wait(disabled + " === 'SVG PNG TikZ'")
	p.click(button("try ?1 = 8, ?2 = 4"))
	p.wait(disabled + " === ''")
}

// TestExportOfPages checks that each page exports the pictures it shows, in the theme of the page.
func TestExportOfPages(t *testing.T) {
	for hash, want := range map[string]string{
		"p=algebra": "((2,2),3):((24,2),8)", "p=algebra&op=complement&theme=dark": "(3,2):(2,12)",
		"e=(8,64):(64,1)&by=bank&t=f16": "banks 28–31", "e=Sw<3,3,3>+o+0+o+(8,64):(64,1)&by=offset": "(8,64):(64,1)",
		"e=(8,4):(4,1)&tile=(8,4)&by=value": "hue: value 0 to 3", "p=mma&by=value": "hue: value 0 to 7",
		"p=mma": "T0", "p=mma&by=thread": "T0", "p=mma&atom=SM90_64x64x16_F32F16F16_SS&atoms=(1,1,1)": "T0",
		"p=copy&val=(1,2)&op=UniversalCopy<uint32_t>&thr=(4,4)": "T0",
		"p=swizzle": "Sw&lt;3,3,3&gt; o 0 o", "p=swizzle&B=0&theme=dark": "8-way",
		"p=compare&a=(4,4):(4,1)&b=(4,4):(1,4)": "12 of 16",
	} {
		p := exporting(t, hash)
		p.settle()
		file, svg := p.exported("SVG")
		text := string(svg)
		if !strings.HasSuffix(file.Name, ".svg") || !strings.Contains(text, want) && !strings.Contains(strings.NewReplacer("</tspan>", "", "<tspan>", "").Replace(text), want) {
			t.Errorf("%s: the SVG has no %q: %.300s", hash, want, text)
		}
		if _, tex := p.exported("TikZ"); !bytes.Contains(tex, []byte("tikzpicture")) {
			t.Errorf("%s: no TikZ", hash)
		}
	}
}

func TestExportCode(t *testing.T) {
	p := exporting(t, "e=(4,8):(8,1)")
	p.click(button("code"))
	p.waitText("[data-testid=code]", "Layout<")
	p.click(button("CuTe DSL (Python)"))
	p.waitText("[data-testid=code] pre", "make_layout(")
	p.click(button("code"))
	p.wait("!document.querySelector('[data-testid=code]')")
	p.reload()
	p.click(button("code"))
	p.waitText("[data-testid=code] pre", "make_layout(") // the language of the last time
	p.click(button("CuTe C++"))
	p = exportingTab(p)
	p.click(button("copy"))
	p.wait("copied.length === 1 && copied[0].length > 5")
	p.waitText(".export", "CuTe C++ is copied")
	p.click(button("code"))
	p.wait("!document.querySelector('[data-testid=code]')")
	p.click(button("link"))
	p.wait("copied.length === 2 && copied[1] === location.href")
	p.waitText(".export", "the link is copied")
	// If a value has no code in a language, the page does not offer this language. If a value cannot be drawn, the page
	// gives the reason.
	p.write(bar, "42")
	p.waitText("[data-testid=value]", "42")
	p.settle()
	if p.count(".export") > 0 {
		p.click(button("SVG"))
		p.wait("saved.length > 0 || document.querySelector('.export [data-testid=fault]')")
		if f := p.text(".export [data-testid=fault]"); f != "" && !strings.Contains(f, " ") {
			t.Errorf("the reason is %q", f)
		}
	}
}

// TestPublicLink checks that, with --public, the link for other people begins with the public address of the page.
func TestPublicLink(t *testing.T) {
	needBrowser(t)
	const public = "https://girih.example/layouts/"
	address, stop, err := serve("--port", "0", "--public", public)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for base, want := range map[string]string{address: public, server: server} {
		p := exportingAt(t, base, "e=(8,16):(16,1)&t=f16")
		p.press(logical, 3, 5)
		p.wait("location.hash.includes('s=0.43')")
		p.click(button("link"))
		p.wait("copied.length === 1")
		if link, want := get[string](p, "copied[0]"), want+p.hash(); link != want || !strings.Contains(link, "#e=(8,16):(16,1)") {
			t.Errorf("served at %s the link is %s, want %s", base, link, want)
		}
	}
}
