package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"girih/internal/door/cli"
)

// This file writes a page for each picture of the gallery, each lesson and each example of Explore. The explorer keeps
// its state in the fragment of its address, which no server receives: previews of its links show the same picture. So
// these pages have addresses of their own, with their title, text and picture.

// A sight is such a page.
type sight struct {
	name  string            // of its files
	title string            // plain text
	text  string            // plain text
	state map[string]string // of the explorer
	args  []string          // of girih, which draw its picture
}

var (
	// galleryEntry matches an entry of docs/gallery/README.md: its title, its caption, the command and the file.
	galleryEntry = regexp.MustCompile(
		`(?m)^### (.+)\n\n((?:.+\n)+)\n(?:[!\[].*\n\n)+    girih draw (.+) -o (\S+)\.svg$`)
	// argument matches an argument of a command in the gallery, which quotes with ' only.
	argument = regexp.MustCompile(`'([^']*)'|([^'\s]+)`)
)

// gallerySights returns the pages of the gallery.
func gallerySights(root string) (list []sight, err error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "gallery", "README.md"))
	if err != nil {
		return nil, err
	}
	for _, m := range galleryEntry.FindAllStringSubmatch(string(text), -1) {
		var args []string
		for _, a := range argument.FindAllStringSubmatch(m[3], -1) {
			args = append(args, a[1]+a[2])
		}
		list = append(list, sight{
			name: m[4], title: m[1], text: strings.Join(strings.Fields(m[2]), " "),
			state: map[string]string{"e": args[0]}, args: append([]string{"draw"}, args...),
		})
	}
	if len(list) == 0 {
		return nil, errors.New("the gallery has no entries of the form that is read here")
	}
	return list, nil
}

// writeSights writes the pages and their list to the folder see of a site. The address of the site is needed for
// pictures in previews, which take only whole addresses; it may be empty.
func writeSights(to, address string, list []sight) error {
	dir := filepath.Join(to, "see")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var index strings.Builder
	index.WriteString("<h1>Pictures and lessons</h1>\n<p>Each page has a preview of its own.</p>\n<ul>\n")
	for _, s := range list {
		if err := s.write(dir, address); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(&index, "<li><a href=\"%s.html\">%s</a> %s</li>\n",
			s.name, html.EscapeString(s.title), html.EscapeString(s.text))
	}
	index.WriteString("</ul>\n")
	page := fmt.Appendf(nil, documentPage, "en", "Pictures and lessons", "../", index.String())
	return os.WriteFile(filepath.Join(dir, "index.html"), page, 0o644)
}

// sightBody is the text of the page: its title, its text, the name of its picture, and the link to the explorer.
const sightBody = `<h1>%[1]s</h1>
<p>%[2]s</p>
<p><img src="%[3]s.png" alt="%[1]s"></p>
<p><a href="../index.html%[4]s">in the explorer</a></p>
`

// write writes the page and its picture.
func (s sight) write(dir, address string) error {
	var png, errs bytes.Buffer
	args := append(slices.Clone(s.args), "--format", "png", "--scale", "1")
	if status := (cli.App{}).Main(args, strings.NewReader(""), &png, &errs); status != 0 {
		return errors.New(errs.String())
	}
	if err := os.WriteFile(filepath.Join(dir, s.name+".png"), png.Bytes(), 0o644); err != nil {
		return err
	}
	body := fmt.Sprintf(sightBody,
		html.EscapeString(s.title), html.EscapeString(s.text), s.name, html.EscapeString(fragment(s.state)))
	page := fmt.Sprintf(documentPage, "en", html.EscapeString(s.title), "../", body)
	page = strings.Replace(page, "</head>", s.preview(address)+"</head>", 1)
	return os.WriteFile(filepath.Join(dir, s.name+".html"), []byte(page), 0o644)
}

// preview returns the marks that sites read which show a preview of a link.
func (s sight) preview(address string) string {
	var b strings.Builder
	mark := func(kind, name, content string) {
		fmt.Fprintf(&b, "<meta %s=\"%s\" content=\"%s\">\n", kind, name, html.EscapeString(content))
	}
	mark("name", "description", s.text)
	mark("property", "og:type", "article")
	mark("property", "og:site_name", "girih")
	mark("property", "og:title", s.title+" · girih")
	mark("property", "og:description", s.text)
	image := s.name + ".png"
	if u, err := url.Parse(address); err == nil && address != "" {
		mark("property", "og:url", u.ResolveReference(&url.URL{Path: "see/" + s.name + ".html"}).String())
		image = u.ResolveReference(&url.URL{Path: "see/" + image}).String()
	}
	mark("property", "og:image", image)
	mark("property", "og:image:type", "image/png")
	mark("property", "og:image:alt", cmp.Or(s.title, s.name))
	mark("name", "twitter:card", "summary_large_image")
	return b.String()
}

// publicAddress matches the address of the site in the page of the explorer.
var publicAddress = regexp.MustCompile(`<meta name="girih-public" content="([^"]*)">`)

// addressOf returns the address of the site, with a slash at its end, from the explorer's page in a folder; "" if the
// page does not state it.
func addressOf(page string) (string, error) {
	text, err := os.ReadFile(filepath.Join(page, "index.html"))
	if err != nil {
		return "", err
	}
	m := publicAddress.FindSubmatch(text)
	if m == nil {
		return "", nil
	}
	return strings.TrimSuffix(strings.TrimSuffix(html.UnescapeString(string(m[1])), "index.html"), "/") + "/", nil
}
