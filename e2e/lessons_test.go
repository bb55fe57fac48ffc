package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lesson is a lesson with the fields that the tests need.
type lesson struct {
	ID, Title string
	Steps     []struct {
		Title   string
		Refused bool
		Views   []string
		Ask     *struct{ Say string }
		Goal    *struct{ Say string }
		Run     *struct{ Wrong bool }
	}
}

// lessons reads the lessons in order.
func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	files, err := filepath.Glob("../internal/door/web/ui/lessons/*.json")
	if err != nil || len(files) < 11 {
		t.Fatalf("there are %d lessons: %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var l lesson
		if err := json.Unmarshal(data, &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// walk goes through every step of every lesson with the button, and calls look at each step.
func walk(p *tab, look func(what string, l lesson, k int)) {
	p.t.Helper()
	all := lessons(p.t)
	for n, l := range all {
		for k, s := range l.Steps {
			p.wait(fmt.Sprintf("document.querySelector('.eyebrow')?.innerText.startsWith(%s)", quote(fmt.Sprintf("%d %s", n+1, l.Title))))
			p.wait("document.querySelector('.lesson h1').innerText === " + quote(s.Title))
			p.js("girihTest.stir()")
			p.settle()
			look(fmt.Sprintf("%s, step %d", l.ID, k+1), l, k)
			if n+1 < len(all) || k+1 < len(l.Steps) {
				p.click("document.querySelector('.turn .primary')")
			}
		}
	}
	p.wait("document.querySelector('.turn .primary').disabled")
}

// TestLessonsWalk checks that every step of every lesson shows its picture, and that a step shows an error only if the
// step is about this error.
func TestLessonsWalk(t *testing.T) {
	p := open(t, "p=lessons")
	walk(p, func(what string, l lesson, k int) {
		s := l.Steps[k]
		if fault := p.text("main [data-testid=fault]"); (fault != "") != s.Refused {
			t.Errorf("%s: refused is %t, and the page says %q", what, s.Refused, fault)
		}
		if value := p.text("[data-testid=value]"); (value == "") != s.Refused {
			t.Errorf("%s: refused is %t, and the value is %q", what, s.Refused, value)
		}
		if blank := get[[]string](p, "girihTest.blank('.lesson-views')"); len(blank) > 0 {
			t.Errorf("%s: nothing is drawn in %v", what, blank)
		}
		// A refused step may show only its reason.
		if n := p.count(".lesson-views canvas") + p.count(".lesson-views .matrix"); n == 0 && !s.Refused {
			t.Errorf("%s: there is no picture", what)
		}
		for view, selector := range map[string]string{"matrix": ".matrix", "element": ".inspector", "memory": "[data-testid=memory]", "tree": ".tree", "facts": ".facts", "threads": "[data-testid^=hardware-]"} {
			for _, v := range s.Views {
				if v == view && !s.Refused && p.count(".lesson-views "+selector) == 0 {
					t.Errorf("%s: the view %s is not there", what, view)
				}
			}
		}
		if (s.Ask != nil) != (p.count("[data-testid=ask]") == 1) || (s.Goal != nil) != (p.count("[data-testid=goal]") == 1) {
			t.Errorf("%s: the page does not ask what the lesson asks", what)
		}
		if strings.Contains(p.text(".lesson"), "{{") || strings.Contains(p.text(".lesson"), "}}") {
			t.Errorf("%s: a claim is not understood: %s", what, p.text(".lesson"))
		}
	})
}

// TestLessonsURL checks that each step has a URL. The page's buttons, the browser's buttons and reloading all lead to
// the step of the URL.
func TestLessonsURL(t *testing.T) {
	p := open(t, "k=2&l=composition&p=lessons")
	at := func(title, hash string) {
		t.Helper()
		p.wait("document.querySelector('.lesson h1')?.innerText === " + quote(title))
		p.wait("location.hash === " + quote(hash))
	}
	at("Digits and carries", "#k=2&l=composition&p=lessons")
	p.click(button("next →"))
	at("Threads picking from memory", "#k=3&l=composition&p=lessons")
	p.reload()
	at("Threads picking from memory", "#k=3&l=composition&p=lessons")
	p.click(button("← back"))
	at("Digits and carries", "#k=2&l=composition&p=lessons")
	p.click(button("← back"))
	at("Two functions in a row", "#l=composition&p=lessons")
	p.click(button("← back")) // the last step of the previous lesson
	at("What equal means", "#k=4&l=coalesce&p=lessons")
	p.do(chromedp.NavigateBack())
	at("Two functions in a row", "#l=composition&p=lessons")
	p.do(chromedp.NavigateForward())
	at("What equal means", "#k=4&l=coalesce&p=lessons")
	p.click(button("next lesson →"))
	at("Two functions in a row", "#l=composition&p=lessons")
	p.click(button("step 4: One that is refused"))
	at("One that is refused", "#k=4&l=composition&p=lessons")
	// The URL also contains an edit; the next step starts without the edit.
	p.write("#letA", "(6,2):(1,6)")
	p.waitText("[data-testid=value]", "(3,2):(2,3)")
	at("One that is refused", "#e.A=(6,2):(1,6)&k=4&l=composition&p=lessons")
	p.reload()
	p.waitText("[data-testid=edited]", "Edited")
	p.waitText("[data-testid=value]", "(3,2):(2,3)")
	p.click("document.querySelector('.contents li button')")
	at("A layout is a function", "#p=lessons")
	// The page accepts an invalid URL.
	p.load("p=lessons&l=nosuch&k=99")
	p.wait("document.querySelector('.lesson h1')?.innerText === 'A stride of zero'")
	p.load("p=lessons&k=-1")
	p.wait("document.querySelector('.lesson h1')?.innerText === 'A layout is a function'")
}

// TestLessonsAsk checks that a question accepts an answer from the keyboard and gives a hint if the answer is wrong.
// The page counts answered questions, also after reloading.
func TestLessonsAsk(t *testing.T) {
	p := open(t, "p=lessons")
	p.js("document.querySelector('#answer').focus()")
	p.keys("8" + kb.Enter)
	p.waitText("[data-testid=verdict]", "Not 8.")
	p.write("#answer", "3*2+1")
	p.keys(kb.Enter)
	p.waitText("[data-testid=verdict]", "✓ A(1,2) = 7")
	p.waitText("[data-testid=progress]", "1 of ")
	p.reload()
	p.waitText("[data-testid=progress]", "1 of ")
	p.wait("document.querySelector('.dots button').classList.contains('done')")
	p.load("p=lessons&l=composition&k=5")
	p.waitText("[data-testid=goal]", "Make it so:")
	p.click(button("show one way"))
	p.waitText("[data-testid=goal]", "Reached:")
	p.waitText("[data-testid=progress]", "2 of ")
}

// TestLessonsPhone checks that, on a phone, no step is wider than the screen.
func TestLessonsPhone(t *testing.T) {
	p := phone(t, "p=lessons")
	walk(p, func(what string, l lesson, k int) {
		if k == 0 {
			p.js("document.querySelector('.fold').click()")
			p.wait("document.querySelector('.contents ol').checkVisibility()")
			p.narrow(what + " with the list")
			p.js("document.querySelector('.fold').click()")
		}
		p.js("document.querySelectorAll('main details').forEach((d) => d.open = true)")
		p.narrow(what)
	})
}

// A gemm is executed event by event. At the end the page compares C with three loops: C is wrong only where the lesson
// says so, and right after the repair.
func TestLessonsRun(t *testing.T) {
	p := open(t, "p=lessons")
	for _, l := range lessons(t) {
		for k, s := range l.Steps {
			if s.Run == nil {
				continue
			}
			p.load(fmt.Sprintf("p=lessons&l=%s&k=%d", l.ID, k+1))
			p.wait("document.querySelector('[data-testid=run-says]')?.innerText.includes('thread 0 reads')")
			p.click(button("one event further"))
			p.wait("document.querySelector('[data-testid=run-says]').innerText.includes('thread 1 reads')")
			p.click(button("next product"))
			p.wait("document.querySelector('[data-testid=run-says]').innerText.includes('C += A·B')")
			p.click(button("run"))
			want := "equal three loops"
			if s.Run.Wrong {
				want = "differ from three loops"
			}
			p.waitText("[data-testid=run-verdict]", want)
			if s.Run.Wrong {
				p.click(button("show one way"))
				p.waitText("[data-testid=run-verdict]", "equal three loops")
			}
		}
	}
}

// In Chinese, on a phone: every step has a text in Chinese with all its claims, no step is wider than the screen, and
// the button leads back to English.
func TestLessonsChinese(t *testing.T) {
	p := phone(t, "p=lessons&lang=zh")
	p.wait("document.documentElement.lang === 'zh'")
	for {
		p.settle()
		text := p.text(".lesson")
		if strings.Contains(text, "{{") || !strings.Contains(text, "步") {
			t.Errorf("the step is not in Chinese: %s", text)
		}
		p.narrow(p.text(".eyebrow"))
		if get[bool](p, "document.querySelector('.turn .primary').disabled") {
			break
		}
		was := p.text(".lesson h1")
		p.click("document.querySelector('.turn .primary')")
		p.wait("document.querySelector('.lesson h1').innerText !== " + quote(was))
	}
	p.load("p=lessons&lang=zh")
	p.waitText(".lesson h1", "Layout 是一个函数")
	p.click(button("English"))
	p.waitText(".lesson h1", "A layout is a function")
	p.click(button("中文"))
	p.waitText(".lesson h1", "Layout 是一个函数")
}
