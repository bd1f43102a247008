import Foundation
import OfflineCore

/// What has to hold for any bytes, be they JSON or not.
enum JSONChecks {
    private static let columns = [KeyColumns(["id"]), KeyColumns(["a", "b"]), KeyColumns([])]

    static func run(_ bytes: Bytes) {
        let isValid = (try? JSONScanner.validate(bytes.span)) != nil
        if isValid {
            check(String(validating: bytes, as: UTF8.self) != nil, "JSON is UTF-8")
        }
        compareWithFoundation(bytes, isValid: isValid)
        checkScalars(bytes, isValid: isValid)
        for columns in columns { checkList(bytes, columns, isValid: isValid) }
    }

    /// The two agree, but for what the scanner's documentation names.
    private static func compareWithFoundation(_ bytes: Bytes, isValid: Bool) {
        let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        let text = String(decoding: bytes, as: UTF8.self)
        switch (isValid, value != nil) {
        case (true, true), (false, false): break
        case (true, false):
            let isKnown = text.contains(/\\u[dD][89a-fA-F]|[eE]|[0-9]{300}/)
            check(isKnown, "Foundation takes what we take")
        case (false, true):
            let isWide = bytes.prefix(4).contains { $0 == 0 || $0 >= 0xEF }
            // By scalars: a line end of two is a single character, which is none of these.
            let commaAtEnd = /,[ \n\r\t]*[\]}]/.matchingSemantics(.unicodeScalar)
            check(isWide || text.contains(commaAtEnd), "we take what Foundation takes")
        }
    }

    /// Functions for values can be asked of anything.
    private static func checkScalars(_ bytes: Bytes, isValid: Bool) {
        let number = NumberLexeme(bytes.span)
        check(number == nil || isValid, "a number is JSON")
        if let number {
            check(!(number < number), "no number is smaller than itself")
            let key = RowKey(values: [bytes])
            let shifted = RowKey(values: [bytes + (bytes.contains(0x65) ? [] : Bytes("e0".utf8))])
            check(bytes.contains(0x45) || key == shifted, "a spelling doesn't matter")
        }
        let text = try? JSONText.text(of: bytes.span)
        let string = try? JSONText.string(of: bytes.span)
        check((text == nil) == (string == nil), "a text is a string")
        if isValid, let text, let string {
            check(text == Bytes(string.utf8), "a string has the bytes of its text")
            check(JSONText.isText(text.span, of: bytes.span), "a string has its own text")
        }
        _ = RowKey(values: [bytes])
    }

    private static func checkList(_ bytes: Bytes, _ columns: KeyColumns, isValid: Bool) {
        guard let directory = try? RowDirectory(scanning: bytes.span, columns: columns) else {
            return
        }
        check(isValid, "a list is JSON")
        check(directory.bodyLength == bytes.count, "a directory knows its list")
        let hashes = directory.keyHashes
        var end = 0
        for row in 0..<directory.count {
            let range = directory[row]
            check(range.lowerBound > end, "rows come in order, with something between")
            end = range.upperBound
            checkRow(bytes, range, columns, hash: hashes[row])
            if let hash = hashes[row] {
                check(directory.rows(withHash: hash).contains(row), "a key finds its row")
            }
        }
        check(end < bytes.count, "the last row ends inside of the list")
        let again = try? RowDirectory(decoding: directory.encoded.span)
        check(again == directory, "a directory is read as it was written")
        DirectoryChecks.runWithChanges(directory.encoded)
    }

    private static func checkRow(
        _ bytes: Bytes, _ range: Range<Int>, _ columns: KeyColumns, hash: UInt64?
    ) {
        let row = Bytes(bytes[range])
        check(row.first == 0x7B && row.last == 0x7D, "a row has its braces")
        check((try? JSONScanner.validate(row.span)) == 0..<row.count, "a row is JSON by itself")
        check(
            (try? RowKey(ofRow: row.span, columns: columns))?.stableHash == hash,
            "a key has one hash")
        var members = RowMembers()
        check(
            (try? members.read(bytes.span, at: range.lowerBound)) == range.upperBound, "a row ends")
        var rebuilt = Bytes("{".utf8)
        var end = range.lowerBound + 1
        for member in members.members {
            check(
                member.name.lowerBound > end - 1
                    && member.value.lowerBound > member.name.upperBound, "members come in order")
            end = member.value.upperBound
            if rebuilt.count > 1 { rebuilt += [0x2C] }
            rebuilt += [0x22] + bytes[member.name] + [0x22, 0x3A] + bytes[member.value]
        }
        check(end < range.upperBound, "the last member ends inside of the row")
        rebuilt += [0x7D]
        check((try? JSONScanner.validate(rebuilt.span)) != nil, "a row can be put together again")
        check(
            (try? RowKey(ofRow: rebuilt.span, columns: columns))?.stableHash == hash,
            "a row put together again has the same key")
        checkIsCovered(bytes, range, members)
    }

    /// Between the members there is nothing but blanks and what separates them.
    private static func checkIsCovered(_ bytes: Bytes, _ range: Range<Int>, _ members: RowMembers) {
        var place = range.lowerBound
        for member in members.members {
            checkIsFiller(bytes[place..<member.name.lowerBound])
            checkIsFiller(bytes[member.name.upperBound..<member.value.lowerBound])
            place = member.value.upperBound
        }
        checkIsFiller(bytes[place..<range.upperBound])
    }

    private static func checkIsFiller(_ bytes: ContiguousArray<UInt8>.SubSequence) {
        check(bytes.allSatisfy { "{}\",: \n\r\t".utf8.contains($0) }, "members cover their row")
    }
}
