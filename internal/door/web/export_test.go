package web

import "net/http"

// Handler is the handler of a server without a token that may be called by these names.
func Handler(hosts ...string) http.Handler { return newHandler(&guard{hosts: hosts}, Options{}) }

// StaticPage is the first page of a static site with a public address.
func StaticPage(public string) ([]byte, error) { return firstPage(staticMark, public) }
