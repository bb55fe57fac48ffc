package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"girih/internal/lang/document"
	"girih/internal/service"
)

// statefulCells are cells of programs that change what other cells have made: lists, dicts, variables of functions,
// generators, classes, memory.
var statefulCells = map[string][]string{
	"python": {
		"xs = [1, 2]\nys = xs\n", "xs.append(len(xs)) # 3\nprint(ys)\n", "ys = [xs, xs]\nys[0].append(7)\nprint(ys)\n",
		"d = {'a': xs}\n", "d['a'].append(4)\nd['b'] = 2\nprint(d)\n", "n = 0\ndef count():\n    global n\n    n += 1\n    return n\n",
		"count()\nprint(count())\n", "def make():\n    k = 0\n    def step():\n        nonlocal k\n        k += 1\n        return k\n    return step\n",
		"step = make()\n", "print(step(), step())\n", "class C:\n    total = 0\n    def add(self, x):\n        C.total += x\n        return self\n",
		"c = C()\n", "c.add(3)\nc.y = C.total\nprint(c.y)\n", "A = make_layout((4,8), stride=(8,1)) # (4,8):(8,1)\n",
		"B = coalesce(A) # (4,8):(8,1)\nprint(size(B))\n", "n = size(A) # 33\n", "A = B\nB = make_layout(2)\n",
		"for i in range(3):\n    xs.append(i)\n    w = i * n\n", "def f(x):\n    y = x + 1\n    return y\n", "print(f(2), f(n))\n",
		"f = step\n", "import functools\n@functools.lru_cache\ndef g(x):\n    print('g', x)\n    return x\n", "print(g(1), g(1), g(2))\n",
		"1 / 0\n", "x = (\n", "print(unknown)\n", "del xs\n",
	},
	"cpp": {
		"float X[8];\nfor (int i = 0; i < 8; ++i) X[i] = i;\n", "Tensor t = make_tensor(&X[0], make_shape(Int<4>{}, Int<2>{}));\n",
		"X[3] = X[2] + 1;\nprintf(\"%g %g\\n\", X[3], X[7]);\n", "t(1, 1) = t(2, 1) * 2;\nprint_tensor(t);\n", "clear(t);\n",
		"auto s = t(_, 1);\ns(0) = 5;\n", "int k = 3;\nint& r = k;\n", "r += 2;\nprintf(\"%d\\n\", k);\n",
		"int next() { static int n = 0; return ++n; }\n", "printf(\"%d\\n\", next());\n", "auto l = make_layout(make_shape(4, k)); // (4,3):(1,4)\n",
		"print(l);\n", "std::vector<int> v = {1, 2};\n", "v.push_back(v[0] + 1);\nprintf(\"%d\\n\", v[2]);\n", "auto h = [&](int x) { k += x; return k; };\n",
		"printf(\"%d\\n\", h(2));\n", "struct P { int a = 1; };\nP p;\n", "p.a += k;\nprintf(\"%d\\n\", p.a);\n", "Tensor u = make_tensor<float>(Shape<_4>{});\nfill(u, 2);\ncopy(u, t(_, 0));\n",
		"__global__ void kernel(float* a) { a[threadIdx.x] += 1; }\n", "kernel<<<1, 4>>>(X);\n", "k = 1 / 0;\n",
	},
}

// randomDocument returns Markdown with cells of one language, and prose that states values.
func randomDocument(r *rand.Rand, lang string) string {
	var b strings.Builder
	for range 3 + r.IntN(6) {
		if r.IntN(2) == 0 {
			b.WriteString("Take $A = (6,2):(8,2)$. The size of A is 32, `size(A) = 12`.\n")
		}
		fmt.Fprintf(&b, "```%s\n%s```\n", lang, randomCell(r, lang))
	}
	return b.String() + "The size of B is 8, and `rank(B) = 2`.\n"
}

func randomCell(r *rand.Rand, lang string) string {
	all := statefulCells[lang]
	return all[r.IntN(len(all))] + all[r.IntN(len(all))]
}

// page asks for a page as JSON.
func page(t *testing.T, p *service.Pages, q service.PageRequest) []byte {
	t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	return p.DoWithin(context.Background(), "page", body)
}

// TestPageReady checks that random edits of random documents have the answer of the whole document, whatever runs are
// kept, and that the cells before an edit are not run again.
func TestPageReady(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 34))
	pages := new(service.Pages)
	for n := range 14 {
		lang := []string{"python", "cpp"}[n%2]
		q := service.PageRequest{Name: "a.md", Text: randomDocument(r, lang)}
		cells := strings.Count(q.Text, "```") / 2
		for range 6 {
			k := r.IntN(cells)
			if at := r.IntN(cells + 2); at > 0 { // the reader goes to another cell, or to none
				ready := q
				if ready.Ready = at; r.IntN(3) > 0 {
					ready.Ready = k
				}
				page(t, pages, ready)
			}
			if i := indexOf(q.Edited, int64(k)); i >= 0 {
				q.Sources = append([]string{}, q.Sources...)
				q.Sources[i] = randomCell(r, lang)
			} else {
				q.Edited, q.Sources = append(q.Edited, int64(k)), append(q.Sources, randomCell(r, lang))
			}
			if r.IntN(4) == 0 { // another request arrives in between
				look := q
				look.Cell, look.Line = r.IntN(cells), 1
				if got, want := page(t, pages, look), page(t, nil, look); !bytes.Equal(got, want) {
					t.Fatalf("the look at %d of\n%s%d %q is\n%s\nwant\n%s", look.Cell, q.Text, q.Edited, q.Sources, got, want)
				}
			}
			if got, want := page(t, pages, q), page(t, nil, q); !bytes.Equal(got, want) {
				t.Fatalf("the edits %d %q of\n%sare\n%s\nwant\n%s", q.Edited, q.Sources, q.Text, got, want)
			}
		}
	}
}

func indexOf(list []int64, x int64) int {
	for i, y := range list {
		if x == y {
			return i
		}
	}
	return -1
}

// TestPageReadySeeds checks edits of the documents in girih in the same way.
func TestPageReadySeeds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("minutes under the race detector, in one goroutine")
	}
	pages := new(service.Pages)
	for i := range 5 {
		q := service.PageRequest{Name: fmt.Sprintf("seed 00%d", i)}
		text, _ := document.Seed(q.Name)
		doc, err := document.Parse(q.Name, text)
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k < len(doc.Cells); k += 6 {
			q.Ready = k
			page(t, pages, q)
			q.Ready, q.Edited, q.Sources = 0, []int64{int64(k)}, []string{doc.Cells[k].Src + "\n# edited\n"}
			if got, want := page(t, pages, q), page(t, nil, q); !bytes.Equal(got, want) {
				t.Errorf("an edit of cell %d of %s is\n%s\nwant\n%s", k, q.Name, got, want)
			}
			q.Edited, q.Sources = nil, nil
		}
	}
}

// TestPageReadyTogether checks requests of many clients at a time, and requests for cells that are not there.
func TestPageReadyTogether(t *testing.T) {
	t.Parallel()
	pages := new(service.Pages)
	const text = "```python\nxs = [1]\n```\n```python\nxs.append(2)\nprint(xs)\n```\n"
	edit := service.PageRequest{Text: text, Edited: []int64{1}, Sources: []string{"xs.append(3)\nprint(xs)\n"}}
	want := page(t, nil, edit)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				page(t, pages, service.PageRequest{Text: text, Ready: 1})
				if got := page(t, pages, edit); !bytes.Equal(got, want) {
					t.Errorf("the answer is %s, want %s", got, want)
				}
			}
		})
	}
	all.Wait()
	page(t, pages, edit)
	before := pages.Runs()
	page(t, pages, service.PageRequest{Text: text, Ready: 1})
	between := pages.Runs()
	if page(t, pages, edit); before != 0 || between != 1 || pages.Runs() != 0 {
		t.Errorf("%d runs are kept before, %d between and %d after the edit", before, between, pages.Runs())
	}
	for ready, refused := range map[int]bool{1: false, 2: true, -1: false} {
		got := page(t, pages, service.PageRequest{Text: text, Ready: ready})
		if bytes.Contains(got, []byte(`"ok":false`)) != refused {
			t.Errorf("ready %d: %s", ready, got)
		}
	}
}
