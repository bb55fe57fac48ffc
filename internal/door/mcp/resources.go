package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"girih/internal/service"
)

// The addresses of the resources.
const (
	referenceURI = "girih://reference"
	errorsURI    = "girih://errors"
)

const markdown = "text/markdown"

// addResources adds what an assistant may read: all functions of the language, a single function, and the
// error codes.
func addResources(s *sdk.Server) {
	s.AddResource(&sdk.Resource{
		URI: referenceURI, Name: "reference", Title: "The functions of the language", MIMEType: markdown,
		Description: "All functions of the language by group, with documentation, an example and its value.",
	}, textOf(func(string) (string, bool) { return reference(), true }))
	s.AddResource(&sdk.Resource{
		URI: errorsURI, Name: "errors", Title: "The codes of errors", MIMEType: markdown,
		Description: "What each code of an error means, with an expression that ends with it.",
	}, textOf(func(string) (string, bool) { return errorCodes(), true }))
	s.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: referenceURI + "/{name}", Name: "function", Title: "A function of the language", MIMEType: markdown,
		Description: "The documentation of one function by its name, as girih://reference/logical_divide.",
	}, textOf(func(uri string) (string, bool) {
		r := service.Help(service.HelpRequest{Name: strings.TrimPrefix(uri, referenceURI+"/")})
		if r.Function == nil {
			return "", false
		}
		return function(*r.Function), true
	}))
}

// textOf returns the handler of a resource that is a text.
func textOf(text func(uri string) (string, bool)) sdk.ResourceHandler {
	return func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		t, ok := text(r.Params.URI)
		if !ok {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
			URI: r.Params.URI, MIMEType: markdown,
			Text: t,
		}}}, nil
	}
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
