package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"html"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"

	"girih/internal/service"
)

// This file writes a site for any file server: the explorer with its engines, and the documents with their pictures.
// All links are relative. The links of the gallery and of the lessons have their picture as a file, which the explorer
// shows until its engine is there.

// writeSite writes the site to a new folder. page is a folder that girih serve --static wrote, to which the engine that
// runs kernels may have been added; root is the repository.
func writeSite(root, page, to string) error {
	if _, err := os.Stat(to); err == nil {
		return errors.New(to + " is there already: remove it, or name another folder")
	}
	if err := os.CopyFS(to, os.DirFS(page)); err != nil {
		return err
	}
	_ = os.Remove(filepath.Join(to, "girih.sha256")) // the list of what girih serve --static wrote, and there is more now
	if err := writeDocuments(root, to); err != nil {
		return err
	}
	early, sights, err := writeEarly(root, to)
	if err != nil {
		return err
	}
	address, err := addressOf(to)
	if err != nil {
		return err
	}
	if err := writeSights(to, address, sights); err != nil {
		return err
	}
	kernels, err := sizeOfKernels(to)
	if err != nil {
		return err
	}
	return editFile(filepath.Join(to, "index.html"), func(text string) string {
		text = strings.Replace(text, sizesMark, sizesMark+kernels, 1)
		mark := `<meta name="girih-early" content="` + strings.Join(early, " ") + `">`
		before := `<script src="first.js">` // which reads the mark
		if !strings.Contains(text, before) {
			before = "</head>"
		}
		text = strings.Replace(text, before, mark+"\n"+before, 1)
		return strings.Replace(text, `<a href="licenses.txt">`,
			`<a href="docs/gallery/index.html">gallery</a> <a href="see/index.html">pictures and lessons</a> `+
				`<a href="about.html">about girih</a> <a href="licenses.txt">`, 1)
	})
}

// sizesMark begins the list of the engines with the sizes of their modules.
const sizesMark = `<meta name="girih-sizes" content="`

// sizeOfKernels returns the entry of the engine that runs kernels in that list, if the page has the engine.
func sizeOfKernels(page string) (string, error) {
	packed, err := os.ReadFile(filepath.Join(page, "kernels.wasm.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if len(packed) < 18 {
		return "", errors.New("kernels.wasm.gz is not compressed with gzip")
	}
	size := binary.LittleEndian.Uint32(packed[len(packed)-4:]) // gzip ends with the length
	return fmt.Sprintf("kernels %d, ", size), nil
}

func editFile(name string, edit func(string) string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(edit(string(text))), 0o644)
}

// writeDocuments writes README.md, its translation and docs as pages, and copies the pictures.
func writeDocuments(root, to string) error {
	for _, name := range []string{"README.md", "README.zh.md"} {
		if err := writeDocument(root, to, name); err != nil {
			return err
		}
	}
	return filepath.WalkDir(filepath.Join(root, "docs"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err = filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			return writeDocument(root, to, filepath.ToSlash(name))
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
}

// pageOf returns the name of the page of a document.
func pageOf(name string) string {
	switch name {
	case "README.md":
		return "about.html"
	case "README.zh.md":
		return "about.zh.html"
	}
	if dir, file := path.Split(name); file == "README.md" {
		return dir + "index.html"
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

var (
	link     = regexp.MustCompile(`(href|src|srcset)="([^"#:]+)(#[^"]*)?"`)
	heading  = regexp.MustCompile(`<h1[^>]*>(.*?)</h1>`)
	drawings = regexp.MustCompile(`<pre><code>girih draw (?:'([^']+)'|(\S+))(.*?) -o (\S+)\.svg\n</code></pre>`)
	markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(renderer.WithUnsafe()))
)

// writeDocument writes a document of Markdown as a page. Links to documents become links to their pages; other files of
// the repository are not part of the site, so links to them become their text.
func writeDocument(root, to, name string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := markdown.Convert(text, &b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	up := strings.Repeat("../", strings.Count(name, "/"))
	body := link.ReplaceAllStringFunc(b.String(), func(whole string) string {
		m := link.FindStringSubmatch(whole)
		at := path.Join(path.Dir(name), m[2])
		switch {
		case path.Ext(at) == ".md" && (strings.HasPrefix(at, "docs/") || strings.HasPrefix(at, "README.")):
			return fmt.Sprintf(`%s="%s%s%s"`, m[1], up, pageOf(at), m[3])
		case m[1] == "href" && at == "docs/gallery", m[1] == "href" && at == "docs/design":
			return fmt.Sprintf(`href="%s%s/index.html"`, up, at)
		case m[1] == "href" && !strings.HasPrefix(at, "docs/"):
			return `class="file"`
		}
		return whole
	})
	lang := "en"
	if strings.HasSuffix(name, ".zh.md") {
		lang = "zh"
	}
	title := name
	if m := heading.FindStringSubmatch(body); m != nil {
		title = html.UnescapeString(regexp.MustCompile(`<[^>]+>`).ReplaceAllString(m[1], ""))
	}
	body = drawings.ReplaceAllStringFunc(body, func(whole string) string {
		m := drawings.FindStringSubmatch(whole)
		state := fragment(map[string]string{"e": html.UnescapeString(cmp.Or(m[1], m[2]))})
		words := [2]string{"in the explorer", "a page of its own"}
		if lang == "zh" {
			words = [2]string{"在 explorer 中打开", "单独的页面"}
		}
		return whole + fmt.Sprintf(`<p><a href="%sindex.html%s">%s</a> · <a href="%ssee/%s.html">%s</a></p>`,
			up, html.EscapeString(state), words[0], up, m[4], words[1])
	})
	out := filepath.Join(to, filepath.FromSlash(pageOf(name)))
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, fmt.Appendf(nil, documentPage, lang, html.EscapeString(title), up, body), 0o644)
}

// documentPage is the page of a document: its language, title, the way to the root, and its text.
const documentPage = `<!doctype html>
<html lang="%[1]s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>%[2]s · girih</title>
<style>
body { font: 16px/1.55 system-ui, sans-serif; max-width: 54rem; margin: 0 auto; padding: 0 1rem 3rem; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; padding: 0.8rem 0; border-bottom: 1px solid #8886; margin-bottom: 1rem; }
pre { overflow-x: auto; padding: 0.7rem 0.9rem; border-radius: 6px; background: #8881; font-size: 0.86rem; }
img { max-width: 100%%; height: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8886; padding: 0.25rem 0.6rem; vertical-align: top; text-align: left; }
@media (prefers-color-scheme: dark) { p > img { background: #fff; } a { color: #8ab4f8; } }
</style>
</head>
<body>
<nav aria-label="girih"><a href="%[3]sindex.html">explorer</a> <a href="%[3]sindex.html#p=lessons">lessons</a>
<a href="%[3]sdocs/gallery/index.html">gallery</a> <a href="%[3]sdocs/commands.html">commands</a>
<a href="%[3]sabout.html">about</a> <a href="%[3]sabout.zh.html" lang="zh">中文</a></nav>
<main>
%[4]s</main>
</body>
</html>
`

// fragment returns the fragment of a state of the explorer, as function fragment of ui/state.ts does.
func fragment(state map[string]string) string {
	names := make([]string, 0, len(state))
	for name := range state {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = name + "=" + escapeState(state[name])
	}
	return "#" + strings.Join(names, "&")
}

// escapeState is encodeURIComponent of JavaScript, with commas, colons and spaces as ui/state.ts writes them.
func escapeState(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == ' ':
			b.WriteByte('+')
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.!~*'(),:", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// nameOf returns the name of the picture of a state: FNV-1a of its fragment, as ui/loading.tsx computes it.
func nameOf(state string) string {
	h := fnv.New32a()
	h.Write([]byte(state))
	return fmt.Sprintf("%08x", h.Sum32())
}

// A drawn link is a link with its picture.
type drawn struct {
	state map[string]string // of the explorer
	svg   []byte
	see   *sight // its own page; nil for none
}

// writeEarly writes the pictures of the links of the gallery, of Explore's examples and of the lessons. It returns the
// names of the pictures, and the pages that the links get.
func writeEarly(root, to string) (names []string, sights []sight, err error) {
	if err := os.MkdirAll(filepath.Join(to, "early"), 0o755); err != nil {
		return nil, nil, err
	}
	add := func(d drawn) error {
		name := nameOf(fragment(d.state))
		names = append(names, name)
		if d.see != nil {
			d.see.state = d.state
			sights = append(sights, *d.see)
		}
		return writeGzip(filepath.Join(to, "early", name+".svg.gz"), d.svg)
	}
	gallery, err := gallerySights(root)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range gallery {
		svg, err := os.ReadFile(filepath.Join(root, "docs", "gallery", s.name+".svg"))
		if err != nil {
			return nil, nil, err
		}
		if err := add(drawn{s.state, svg, &s}); err != nil {
			return nil, nil, err
		}
	}
	ui := filepath.Join(root, "internal", "door", "web", "ui")
	if err := earlyExamples(filepath.Join(ui, "pages", "explore.tsx"), add); err != nil {
		return nil, nil, err
	}
	lessons, err := filepath.Glob(filepath.Join(ui, "lessons", "*.json"))
	if err != nil {
		return nil, nil, err
	}
	for _, name := range lessons {
		if err := earlyLesson(name, add); err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), sights, nil
}

// writeGzip writes a compressed file. The page unpacks it, because most file servers do not compress.
func writeGzip(name string, text []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// exploreExample matches an example of Explore: its name, its expression in JavaScript's quotes, and its type.
var exploreExample = regexp.MustCompile(`(?m)^  \["([^"]+)", \{ e: (?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?:, t: "(\w+)")? \}\],$`)

// earlyExamples adds the pictures of the examples of Explore.
func earlyExamples(page string, add func(drawn) error) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	all := exploreExample.FindAllSubmatch(text, -1)
	if len(all) == 0 {
		return fmt.Errorf("%s has no examples of the form that is read here", page)
	}
	for _, m := range all {
		state := map[string]string{"e": string(m[2]) + string(m[3])}
		if len(m[4]) > 0 {
			state["t"] = string(m[4])
		}
		r := new(service.Session).Draw(service.DrawRequest{Expr: state["e"], Type: string(m[4]), Format: "svg"})
		if !r.OK {
			continue // the example of a refusal
		}
		see := sight{
			name: "example_" + unusual.ReplaceAllString(string(m[1]), "_"), title: string(m[1]), text: state["e"],
			args: drawing(state["e"], string(m[4])),
		}
		if err := add(drawn{state, []byte(r.Text), &see}); err != nil {
			return err
		}
	}
	return nil
}

// unusual matches what names of files do without.
var unusual = regexp.MustCompile(`[^a-z0-9A-Z]+`)

// drawing returns the arguments of girih that draw an expression.
func drawing(expr, element string) []string {
	args := []string{"draw", expr}
	if element != "" {
		args = append(args, "--type", element)
	}
	return args
}

// earlyLesson adds the pictures of the steps of a lesson. A step without a picture is left out.
func earlyLesson(name string, add func(drawn) error) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var l struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		About string `json:"about"`
		Steps []struct {
			Let  [][2]string `json:"let"`
			Expr string      `json:"expr"`
			Type string      `json:"type"`
		} `json:"steps"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	see := &sight{name: "lesson_" + l.ID, title: l.Title, text: l.About} // with the first picture
	for k, step := range l.Steps {
		var program strings.Builder
		last := step.Expr
		for _, b := range step.Let {
			fmt.Fprintf(&program, "let %s = %s; ", b[0], b[1])
			last = cmp.Or(step.Expr, b[0])
		}
		if last == "" {
			continue
		}
		r := new(service.Session).Draw(service.DrawRequest{Expr: program.String() + last, Type: step.Type, Format: "svg"})
		if !r.OK {
			continue
		}
		state := map[string]string{"p": "lessons", "l": l.ID}
		if k > 0 {
			state["k"] = fmt.Sprint(k + 1)
		}
		if see != nil {
			see.args = drawing(program.String()+last, step.Type)
		}
		if err := add(drawn{state, []byte(r.Text), see}); err != nil {
			return err
		}
		see = nil
	}
	return nil
}
