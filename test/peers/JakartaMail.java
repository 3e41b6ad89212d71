import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.Properties;

/** Sends one mail by STARTTLS: port, user, password, recipient, subject, text. Prints what became of it. */
public final class JakartaMail {
  public static void main(String[] given) throws Exception {
    Properties settings = new Properties();
    settings.put("mail.smtp.host", "127.0.0.1");
    settings.put("mail.smtp.port", given[0]);
    settings.put("mail.smtp.auth", "true");
    settings.put("mail.smtp.starttls.required", "true");
    settings.put("mail.smtp.ssl.trust", "*");
    settings.put("mail.smtp.ssl.checkserveridentity", "false");
    Session session = Session.getInstance(settings, new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication(given[1], given[2]);
      }
    });
    MimeMessage mail = new MimeMessage(session);
    mail.setFrom(new InternetAddress("java@example.com"));
    mail.setRecipient(Message.RecipientType.TO, new InternetAddress(given[3]));
    mail.setSubject(given[4], "UTF-8");
    mail.setText(given[5], "UTF-8");
    try {
      Transport.send(mail);
      System.out.println("sent");
    } catch (SendFailedException reason) {
      System.out.println(reason.getNextException().getMessage().trim());
    }
  }
}
