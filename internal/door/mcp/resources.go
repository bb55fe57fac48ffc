package mcp

import (
	"fmt"
	"strings"

	"girih/internal/service"
)

// The addresses of the resources.
const (
	referenceURI = "girih://reference"
	errorsURI    = "girih://errors"
)

const markdown = "text/markdown"

// A resource is a text that an assistant may read, or, with a template instead of an address, a family of texts.
type resource struct {
	Description string `json:"description"`
	MIMEType    string `json:"mimeType"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	URI         string `json:"uri,omitempty"`
	Template    string `json:"uriTemplate,omitempty"`
}

// contents is the text of a resource.
type contents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
}

var resources = []resource{{
	URI: errorsURI, Name: "errors", Title: "The codes of errors", MIMEType: markdown,
	Description: "What each code of an error means, with an expression that ends with it.",
}, {
	URI: referenceURI, Name: "reference", Title: "The functions of the language", MIMEType: markdown,
	Description: "All functions of the language by group, with documentation, an example and its value.",
}}

var templates = []resource{{
	Template: referenceURI + "/{name}", Name: "function", Title: "A function of the language", MIMEType: markdown,
	Description: "The documentation of one function by its name, as girih://reference/logical_divide.",
}}

// readURI returns the text of a resource: all functions of the language, a single function, or the error codes.
func readURI(uri string) (text string, ok bool) {
	switch uri {
	case referenceURI:
		return reference(), true
	case errorsURI:
		return errorCodes(), true
	}
	name, ok := strings.CutPrefix(uri, referenceURI+"/")
	if !ok {
		return "", false
	}
	f := service.Help(service.HelpRequest{Name: name}).Function
	if f == nil {
		return "", false
	}
	return function(*f), true
}

// reference returns the documentation of all functions.
func reference() string {
	var b strings.Builder
	b.WriteString("# The functions of the language\n")
	for _, g := range service.Reference() {
		fmt.Fprintf(&b, "\n## %s\n", g.Name)
		for _, f := range g.Functions {
			b.WriteString("\n" + function(f))
		}
	}
	return b.String()
}

// function returns the documentation of a function.
func function(f service.Function) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### `%s`\n\n%s\n", f.Signature(), f.Doc)
	if f.Example != "" {
		fmt.Fprintf(&b, "\n    %s\n    = %s\n", f.Example, f.Output)
	}
	if len(f.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAlso called %s.\n", strings.Join(f.Aliases, ", "))
	}
	return b.String()
}

// errorCodes returns the meaning of all codes.
func errorCodes() string {
	var b strings.Builder
	b.WriteString("# The codes of errors\n\nEach with an expression that ends with it.\n\n")
	for _, c := range service.ErrorCodes() {
		fmt.Fprintf(&b, "- `%s`: %s `%s`\n", c.Code, c.Meaning, c.Example)
	}
	return b.String()
}
