import Foundation

/// A page of the documentation, to be compared with the code that it is about.
package struct DocumentationPage {
    private let sections: [Substring]

    /// Reads a page of a target's catalog.
    package init(_ name: String, of target: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/\(target)/Documentation.docc/\(name).md")
        sections = try String(contentsOf: page, encoding: .utf8).split(separator: "\n#")
    }

    /// The cells of the table under a heading, row by row, without its head.
    package func table(under heading: String) -> [[String]] {
        guard let section = sections.first(where: { $0.hasHeading(heading) }) else { return [] }
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        return rows.dropFirst(2).map { row in
            row.dropFirst().dropLast().split(separator: " | ").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
        }
    }
}

extension Substring {
    fileprivate func hasHeading(_ heading: String) -> Bool {
        prefix { $0 != "\n" }.drop { "# ".contains($0) } == heading
    }
}
