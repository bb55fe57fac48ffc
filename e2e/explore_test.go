package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const bar = "#expr"

func TestExploreTypes(t *testing.T) {
	p := open(t, "")
	p.waitText("[data-testid=value]", "Sw<3,3,3> o 0 o (8,64):(64,1)")
	p.write(bar, "(6,2):(8,2) o (4,3):(3,1)")
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	p.waitText("[data-testid=logical-0] figcaption", "4 × 3")
	p.keys("x") // the text is no longer an expression
	p.wait("document.querySelector('[data-testid=fault]')")
	p.wait("document.querySelector('.views.stale')") // the last value stays visible, paler
	p.keys("\b")
	p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
	p.wait("!document.querySelector('[data-testid=fault]') && !document.querySelector('.views.stale')")
	if h := p.hash(); h != "#e="+"(6,2):(8,2)+o+(4,3):(3,1)&t=f16" {
		t.Errorf("the state in the URL is %s", h)
	}
}

func TestExploreErrors(t *testing.T) {
	p := open(t, "")
	p.write(bar, "(6,2):(1,7) o (3,2):(2,3)")
	p.waitText("[data-testid=fault]", "not_representable")
	for _, want := range []string{"at (2,1) (index 5)", "witness: at index 5, coordinate (2,1) the value is 8, a layout would give 7", "hint:"} {
		p.waitText("[data-testid=fault]", want)
	}
	if got := get[string](p, "[...document.querySelectorAll('.expr-shade .wrong')].map((e) => e.textContent).join('')"); got != "(6,2):(1,7) o (3,2):(2,3)" {
		t.Errorf("underlined is %q", got)
	}
	if got := get[string](p, "document.querySelector('#expr').getAttribute('aria-invalid')"); got != "true" {
		t.Errorf("aria-invalid is %q", got)
	}
	p.write(bar, "(64,64):(64,1")
	p.waitText("[data-testid=fault]", "hint: did you mean (64,64):(64,1)?")
	// Only an unknown name is underlined, even after letters of several bytes.
	p.write(bar, "# ∘⊗\n4:1 o nosuch(4:1)")
	p.waitText("[data-testid=fault]", "nosuch")
	p.wait("[...document.querySelectorAll('.expr-shade .wrong')].map((e) => e.textContent).join('') === 'nosuch'")
}

func TestExploreCompletes(t *testing.T) {
	p := open(t, "e=4:1")
	p.write(bar, "zipp")
	p.wait("document.querySelectorAll('.complete [role=option]').length >= 3")
	if got, chosen := p.text(".complete [role=option]"), p.count(".complete [aria-selected=true]"); got != "zipped_divide" || chosen != 0 {
		t.Errorf("first offered is %q, want zipped_divide; %d are chosen", got, chosen)
	}
	p.waitText(".complete-help", "zipped_divide(L, tiler)")
	p.keys(kb.ArrowDown + kb.ArrowDown)
	p.waitText(".complete [aria-selected=true]", "zipped_divide_exact")
	p.keys(kb.ArrowUp)
	p.keys(kb.Tab)
	p.wait("document.querySelector('#expr').value === 'zipped_divide('")
	p.wait("document.activeElement.id === 'expr' && document.activeElement.selectionStart === 14")
	p.keys("(4,4):(4,1), <2,2>)")
	p.waitText("[data-testid=value]", "((2,2),(2,2)):((4,1),(8,2))")
	// Escape closes the list and keeps the text. Ctrl+Space opens the list with all names that are possible at the
	// cursor.
	p.write(bar, "coal")
	p.wait("document.querySelector('.complete')")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('.complete') && document.querySelector('#expr').value === 'coal'")
	p.write(bar, "")
	p.wait("document.querySelector('#expr').value === '' && location.hash === '#e=+'") // the bar stays empty, without the initial expression
	p.settle()
	p.keys(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	p.wait("document.querySelectorAll('.complete [role=option]').length > 20")
}

func TestExploreRecalls(t *testing.T) {
	p := open(t, "e=4:1")
	for _, e := range []string{"8:1", "8:2", "8:3"} {
		p.write(bar, e)
		p.waitText("[data-testid=value]", e)
		p.keys(kb.Enter)
	}
	p.write(bar, "(2,2")
	for _, want := range []string{"8:3", "8:2", "8:1"} {
		p.keys(kb.ArrowUp)
		p.wait("document.querySelector('#expr').value === " + quote(want))
	}
	p.waitText("[data-testid=value]", "8:1")
	for _, want := range []string{"8:2", "8:3", "(2,2"} {
		p.keys(kb.ArrowDown)
		p.wait("document.querySelector('#expr').value === " + quote(want))
	}
	// The history survives reloading the page.
	p.load("e=5:1")
	p.js("document.querySelector('#expr').focus()")
	p.keys(kb.ArrowUp)
	p.wait("['8:3','(2,2'].includes(document.querySelector('#expr').value)")
}

func TestExploreExamples(t *testing.T) {
	p := open(t, "")
	n := p.count(".examples li button")
	if n < 8 {
		t.Fatalf("there are %d examples, want 8 or more", n)
	}
	for k := range n {
		p.js("document.querySelector('.examples').open = true")
		p.click("document.querySelectorAll('.examples li button')[" + string(rune('0'+k)) + "]")
		name := get[string](p, "document.querySelectorAll('.examples li button')["+string(rune('0'+k))+"].textContent")
		// The engine's answer may arrive later; the page must become right and stay right.
		right := "document.querySelector('[data-testid=fault]')"
		if !strings.Contains(name, "error") {
			right = "!" + right + " && document.querySelector('[data-testid=value]')"
		}
		p.wait(right)
		p.settle()
		p.wait(right)
	}
}

func TestExplorePastes(t *testing.T) {
	p := open(t, "")
	for _, c := range []struct{ pasted, value string }{
		{"Layout<Shape<_2,_4>, Stride<_4,_1>>", "(2,4):(4,1)"},
		{"cute::Swizzle<3,4,3>{}", "Sw<3,4,3>"},
		{"(_8,_16):(_16,_1)", "(8,16):(16,1)"},
	} {
		p.write(bar, c.pasted)
		p.waitText("[data-testid=value]", c.value)
	}
}

// TestExplorePastesDump pastes a dump of a TiledMMA, which names no instruction. A click on an expression that makes
// this TiledMMA opens the expression.
func TestExplorePastesDump(t *testing.T) {
	p := open(t, "")
	const dump = `TiledMMA
  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)
  PermutationMNK: (_32,_32,_16)
MMA_Atom
  ThrID:      _32:_1
  Shape_MNK:  (_16,_8,_16)
  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))
  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))
  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))`
	p.js(`const data = new DataTransfer();
		data.setData("text/plain", ` + quote(dump) + `);
		document.querySelector("#expr").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))`)
	const made = `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1):(1,2,0),<32,32,16>)`
	p.waitText("[data-testid=pasted]", made)
	p.click(button(made))
	p.waitText("[data-testid=value]", made)
	p.waitText("[data-testid=logical-2] figcaption", "32 × 32")
}

// TestExploreEmpty checks that, for an empty text, the page shows nothing that could be selected.
func TestExploreEmpty(t *testing.T) {
	p := open(t, "")
	p.write(bar, "")
	p.wait("!document.querySelector('.views')")
	p.keys("4:1")
	p.wait("document.querySelector('[data-testid=logical-0] canvas')")
}

// TestExploreWithoutElements checks values that have no elements to select. If the integers of a value are unknown, the
// page says how to set them.
func TestExploreWithoutElements(t *testing.T) {
	p := open(t, "e=(M,K):(K,1)")
	p.waitText("[data-testid=symbolic]", "known at run time only")
	if n := p.count(".views figure"); n != 0 {
		t.Errorf("there are %d views of no elements", n)
	}
	p.write(bar, "let M = 8; let K = 4; (M,K):(K,1)")
	p.waitText("[data-testid=logical-0] figcaption", "8 × 4")
	p.wait("!document.querySelector('[data-testid=symbolic]')")
	p.load("e=true")
	p.waitText("[data-testid=value]", "true")
	if n := p.count(".views figure"); n != 0 {
		t.Errorf("there are %d views of a bool", n)
	}
}
