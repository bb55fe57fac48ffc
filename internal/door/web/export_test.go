package web

import "net/http"

// Handler returns the handler of a server without a token. The server answers only requests to these host names.
func Handler(hosts ...string) http.Handler { return newHandler(&guard{hosts: hosts}, Options{}) }

// StaticPage is the first page of a static site with a public address.
func StaticPage(public string) ([]byte, error) { return firstPage(staticMark, public) }
