package e2e

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// line is the selector of a line of an opened page.
func line(cell, n string) string { return "[id='l" + cell + "." + n + "']" }

// opened is the state of a page with a text.
func opened(name, text string) string {
	return "p=open&name=" + name + "&text=" + url.QueryEscape(text)
}

// TestOpenSeed checks that a document in girih opens from the list and from its link, with values, a picture and a
// derivation beside its lines, and that the browser's buttons lead back.
func TestOpenSeed(t *testing.T) {
	p := open(t, "p=open")
	p.click("document.querySelector('[data-testid=seed-000]')")
	p.waitText(line("4", "8")+" .value", "= (2,3):(1,2)")
	p.wait("location.hash === '#p=open&page=000'")
	p.waitText(line("4", "10")+" .agrees", "✓")
	if prose := p.text(".prose"); !strings.Contains(prose, "CUTLASS CUTE 1 Layout Algebra") {
		t.Errorf("the prose is %q", prose)
	}
	p.click("document.querySelector(" + quote(line("4", "8")+" [data-testid=picture]") + ")")
	p.wait("document.querySelector('[data-testid=page-picture] canvas')")
	p.click("document.querySelector(" + quote(line("5", "2")+" [data-testid=why]") + ")")
	p.waitText("[data-testid=derivation]", "complement((4):(2), 8)")
	p.js("history.back()")
	p.wait("document.querySelector('.choose')")
	p.load("page=004") // the short form of the link
	p.waitText("[data-testid=page-says]", "stated values:")
	p.waitText(".page-title", "cute 02 layout")
	p.load("page=nosuch")
	p.waitText("[data-testid=fault]", "seed 004")
}

// TestOpenEdit checks that an edit of a line updates everything below it, that the URL contains the edit, and that
// the edit can be undone.
func TestOpenEdit(t *testing.T) {
	p := open(t, opened("a.py", "A = make_layout(4, 2)\nB = size(A) # 8\nC = B * 10\n"))
	p.waitText(line("0", "3")+" .value", "= 40")
	p.waitText("[data-testid=slip]", "the text states 8 computed is 4")
	p.write(line("0", "1")+" textarea", "A = make_layout(8, 2)")
	p.waitText(line("0", "3")+" .value", "= 80")
	p.wait("!document.querySelector('[data-testid=slip]')")
	p.wait("location.hash.includes('c.0=A+%3D+make_layout(8,+2)')")
	p.reload()
	p.waitText(line("0", "3")+" .value", "= 80")
	p.write(line("0", "1")+" textarea", "A = make_layout(")
	p.waitText(line("0", "3")+" [data-testid=fault]", "syntax")
	p.click("document.querySelector('[data-testid=restore]')")
	p.waitText(line("0", "3")+" .value", "= 40")
	p.wait("!location.hash.includes('c.0')")
}

// recordPages is a script that records the requests for pages. girihPages lists them, each with the time until the
// page had drawn the answer.
const recordPages = `
	window.girihPages = [];
	const real = window.fetch;
	window.fetch = async (url, options) => {
		if (!String(url).endsWith("api/page")) return real(url, options);
		const at = { ...JSON.parse(options.body), from: performance.now() };
		girihPages.push(at);
		const answer = await real(url, options);
		const drawn = () => {
			if (document.querySelector(".document")?.getAttribute("aria-busy") === "false") at.took = performance.now() - at.from;
			else setTimeout(drawn, 1);
		};
		setTimeout(drawn, 1);
		return answer;
	}`

// TestOpenReady checks that, when the cursor enters a cell, the page asks the server to prepare the cells before
// it, and asks again after each answer. An edit of a cell that changes a list of another cell must start from that
// cell's list each time.
func TestOpenReady(t *testing.T) {
	p := open(t, opened("a.md", "```python\nxs = [1]\n```\n```python\nxs.append(2)\nprint(len(xs), xs)\n```\n"))
	p.waitText(line("1", "2")+" .printed", "2 [1, 2]")
	p.js(recordPages)
	for _, x := range []string{"3", "4", "5"} {
		p.js("document.querySelector(" + quote(line("1", "1")+" textarea") + ").focus()")
		p.write(line("1", "1")+" textarea", "xs.append("+x+")")
		p.waitText(line("1", "2")+" .printed", "2 [1, "+x+"]")
		p.settle()
	}
	if got := get[string](p, "girihPages.map((q) => q.ready ?? 0).join(' ')"); got != "1 0 1 0 1 0 1" {
		t.Errorf("the page asks to be ready for %s", got)
	}
	p.write(line("0", "1")+" textarea", "xs = [7]")
	p.waitText(line("1", "2")+" .printed", "2 [7, 5]")
}

// TestOpenKeys checks the keys in the lines of a document: the arrows move from line to line and from cell to
// cell, Enter starts a new line, Backspace joins two lines, and n moves to the next finding.
func TestOpenKeys(t *testing.T) {
	p := open(t, opened("a.md", "One\n```python\nA = 4\nB = A + 1 # 6\n```\nTwo\n```python\nC = B\n```\n"))
	p.waitText(line("1", "1")+" .value", "= 5")
	at := func(want string) {
		t.Helper()
		p.wait("document.activeElement.closest('.line')?.id === 'l" + want + "'")
	}
	p.js("document.querySelector(" + quote(line("0", "1")+" textarea") + ").focus()")
	p.keys(kb.ArrowDown)
	at("0.2")
	p.keys(kb.ArrowDown)
	at("1.1")
	p.keys(kb.ArrowUp)
	at("0.2")
	p.keys(kb.Home + kb.Enter)
	at("0.3")
	p.waitText(line("0", "3")+" .value", "= 5")
	p.keys(kb.ArrowUp)
	at("0.2")
	p.keys("A = 7")
	p.waitText(line("1", "1")+" .value", "= 8")
	p.keys(kb.Home + kb.Backspace)
	at("0.1")
	p.waitText(line("0", "1")+" textarea", "")
	p.wait("document.activeElement.value === 'A = 4A = 7'")
	p.js("document.activeElement.blur()")
	p.waitText(line("0", "1")+" [data-testid=fault]", "syntax")
	p.waitText(line("1", "1")+" [data-testid=fault]", "NameError") // the last answer, which draws the page again
	p.settle()
	p.keys("n")
	at("0.1")
}

const threads = `float X[16*8], Y[8*8], Z[16*8];
for (int i = 0; i < 128; ++i) { X[i] = i % 7; Z[i] = 0; }
for (int i = 0; i < 64; ++i) { Y[i] = i % 5; }
Tensor x = make_tensor(&X[0], make_layout(Shape<_16,_8>{}));
Tensor y = make_tensor(&Y[0], make_layout(Shape<_8,_8>{}));
Tensor z = make_tensor(&Z[0], make_layout(Shape<_16,_8>{}));
auto m = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{});
gemm(m, x, y, z);
`

// TestOpenThreads steps through a gemm thread by thread, and checks that each step lights the elements that its
// thread reads.
func TestOpenThreads(t *testing.T) {
	p := open(t, opened("a.cu", threads))
	p.waitText(line("0", "8"), "threads")
	p.click("document.querySelector(" + quote(line("0", "8")+" [data-testid=threads]") + ")")
	p.waitText("[data-testid=stepper-says]", "thread 0 reads 4 of x, 2 of y, 4 of z and writes 4 of z")
	p.click(button("one step further"))
	p.waitText("[data-testid=stepper-says]", "thread 1 reads")
	p.waitText("[data-testid=stepper]", "2 of 32")
	// Thread 1 reads A(0,1), A(8,1), A(0,5) and A(8,5).
	if lit := get[[]string](p, "[...document.querySelectorAll('.used figure:first-child .own')].map((e) => e.parentElement.rowIndex + ' ' + e.cellIndex)"); strings.Join(lit, ", ") != "0 1, 0 5, 8 1, 8 5" {
		t.Errorf("lit are %v", lit)
	}
	p.waitText(".used figure:last-child .elements", "(0,2) 0 → 28")
	p.write(line("0", "3")+" textarea", "for (int i = 0; i < 64; ++i) { Y[i] = 0; }")
	p.wait("document.querySelector('.used figure:last-child .elements').innerText.includes('(0,2) 0') && !document.querySelector('.used figure:last-child .new')")
}

// TestOpenText checks that pasted and dropped texts open, that prose is not read as HTML, and that a long text is
// compressed in the URL.
func TestOpenText(t *testing.T) {
	p := open(t, "p=open")
	p.write(".paste-page textarea", "# Head\n<img src=x onerror=alert(1)> **bold** [x](javascript:alert(1))\n```python\nA = 4:1\n```\n")
	p.click(button("open"))
	p.waitText(line("0", "1")+" .value", "= 4:1")
	p.waitText(".prose", "<img src=x onerror=alert(1)> bold x")
	if n := p.count(".prose img, .prose a"); n != 0 {
		t.Errorf("%d elements come from the text", n)
	}
	p.click(button("← another page"))
	p.wait("document.querySelector('.choose') && location.hash === '#p=open'")
	p.js(`const d = new DataTransfer();
		d.items.add(new File(["x = 4:1\n" + "# more\n".repeat(2000)], "long.py"));
		document.querySelector(".open-page").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: d }))`)
	p.waitText(line("0", "1")+" .value", "= 4:1")
	p.wait("location.hash.startsWith('#name=long.py&p=open&text=~z') && location.hash.length < 500")
	p.reload()
	p.waitText(line("0", "1")+" .value", "= 4:1")
	p.load("p=open&name=long.py&text=~14007.abc") // a text that another tab has
	p.waitText("[data-testid=gone]", "long.py is not in the link")
}

// TestOpenChinese checks that the page of a document is in Chinese if the user asks for Chinese.
func TestOpenChinese(t *testing.T) {
	p := open(t, "page=000&lang=zh")
	p.waitText("[data-testid=page-says]", "写出的值")
	p.waitText("[data-testid=slip]", "文中写的是")
	p.click(button("English"))
	p.waitText("[data-testid=page-says]", "stated values")
}
