package web

// StaticPage is the first page of a static site with a public address.
func StaticPage(public string) ([]byte, error) { return firstPage(staticMark, public) }
