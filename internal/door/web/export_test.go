package web

import "net/http"

// Handler is the handler of a page without a public address, for these hosts.
func Handler(hosts ...string) http.Handler { return newHandler(&guard{hosts: hosts}, "") }

// StaticPage is the first page of a static site with a public address.
func StaticPage(public string) ([]byte, error) { return firstPage(staticMark, public) }
