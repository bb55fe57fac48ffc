// Package glossary explains the terms that engineers meet in CuTe, in the papers on layouts and in the memory of
// NVIDIA's GPUs: what a term means, how it is spelled in C++, in the CuTe DSL and in papers, an example with its
// value, and related terms. The meanings are in several languages.
//
// terms.json has everything that does not depend on a language, and a file for each language, such as en.json, has
// the meanings by term. The keys that begin with @ are headings. All of it is packed into glossary.json.gz as a JSON
// list of columns, which the explorer's page reads, too: names, other names, C++, CuTe DSL, papers, examples, values,
// related terms, and then the meanings in each language. Entry k of each column belongs to one term, or to a heading;
// names in a list are separated by semicolons. Columns compress better than terms.
package glossary
